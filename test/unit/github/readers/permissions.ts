import { accountMayWrite, userMayWrite } from '../../../../src/github/people.ts';
import type { Row } from './row.ts';

const PERMISSION = `GET /repos/acme/shop/collaborators/mallory/permission`;
const authorPermission: Row = {
  reader: 'accountMayWrite',
  read: (github, signal) => accountMayWrite(github, 'mallory', "read the author's permission", signal),
  request: PERMISSION,
  operation: "read the author's permission",
  permission: 'metadata: read',
  valid: [
    ['an administrator as trusted', { permission: 'admin' }, true],
    ['a writer as trusted', { permission: 'write' }, true],
    ['a reader as not trusted', { permission: 'read' }, false],
    ['a stranger as not trusted', { permission: 'none' }, false],
    ['an unknown permission as not trusted', { permission: 'WRITE-ISH' }, false],
  ],
  malformed: [['no permission', {}]],
  absent: ['an unknown author as not trusted', false],
};

const user = (permission: string, id: number) => ({ permission, user: { login: 'mallory', id } });
const userPermission: Row = {
  reader: 'userMayWrite',
  read: (github, signal) => userMayWrite(github, { login: 'mallory', id: 5 }, signal),
  request: PERMISSION,
  operation: "read the commenter's permission",
  permission: 'metadata: read',
  valid: [
    ['that an administrator may write', user('admin', 5), true],
    ['that a writer may write', user('write', 5), true],
    ['that a reader may not write', user('read', 5), false],
    ['that a stranger may not write', user('none', 5), false],
    ['that an unknown permission is not enough', user('maintain', 5), false],
    ['that another account of this login may not write', user('admin', 6), false],
    ['that an unknown account may not write', { permission: 'write', user: null }, false],
    ['that a hidden account may not write', { permission: 'write' }, false],
  ],
  malformed: [
    ['no permission', { user: { id: 5 } }],
    ['an account without an id', { permission: 'write', user: { login: 'mallory' } }],
  ],
  absent: ['that an unknown account may not write', false],
};

export const PERMISSION_READERS: readonly Row[] = [authorPermission, userPermission];
