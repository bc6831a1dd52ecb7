import { accountMayWrite, userMayWrite } from '../../../../src/github/people.ts';
import type { Row } from './row.ts';

const authorPermission: Row = {
  reader: 'accountMayWrite',
  read: (github) => accountMayWrite(github, 'mallory', "read the author's permission"),
  valid: [
    ['an administrator as trusted', { permission: 'admin' }],
    ['a writer as trusted', { permission: 'write' }],
    ['a reader as not trusted', { permission: 'read' }],
    ['a stranger as not trusted', { permission: 'none' }],
    ['an unknown permission as not trusted', { permission: 'WRITE-ISH' }],
  ],
  malformed: [['no permission', {}]],
  absent: 'an unknown author as not trusted',
};

const user = (permission: string, id: number) => ({ permission, user: { login: 'mallory', id } });
const userPermission: Row = {
  reader: 'userMayWrite',
  read: (github) => userMayWrite(github, { login: 'mallory', id: 5 }),
  valid: [
    ['that an administrator may write', user('admin', 5)],
    ['that a writer may write', user('write', 5)],
    ['that a reader may not write', user('read', 5)],
    ['that a stranger may not write', user('none', 5)],
    ['that an unknown permission is not enough', user('maintain', 5)],
    ['that another account of this login may not write', user('admin', 6)],
    ['that an unknown account may not write', { permission: 'write', user: null }],
    ['that a hidden account may not write', { permission: 'write' }],
  ],
  malformed: [
    ['no permission', { user: { id: 5 } }],
    ['an account without an id', { permission: 'write', user: { login: 'mallory' } }],
  ],
  absent: 'that an unknown account may not write',
};

export const PERMISSION_READERS: readonly Row[] = [authorPermission, userPermission];
