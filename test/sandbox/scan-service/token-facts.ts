import { happens } from '../play.ts';
import { type Fact, later, launch, type Server } from './fact.ts';

const LONG_LIFE = new Date('2024-05-02T00:00:00Z');

export const TOKEN_FACTS: readonly Fact[] = [
  {
    name: 'a token is valid until it expires',
    options: { tokens: [{ expiresAt: LONG_LIFE }] },
    steps: [
      later('2024-05-01T23:59:59Z'),
      'GET /token',
      later('2024-05-02T00:00:00Z'),
      'GET /token',
      'GET scans',
    ],
    show: 'expiresAt',
  },
  {
    name: 'a token is valid until it is revoked',
    steps: [
      'GET scans',
      happens<Server>('revoked', ({ service }) => service.control.revokeToken(service.token)),
      'GET /token',
      'GET scans',
    ],
  },
  {
    name: 'another token stays valid',
    options: { tokens: [{}, {}] },
    token: 1,
    steps: [
      happens<Server>('revoked', ({ service }) => service.control.revokeToken(service.token)),
      'GET scans',
    ],
  },
  {
    name: 'an allowlist may name a repository by its owner and name, and hides the others',
    options: {
      repositories: [{ name: 'shop' }, { name: 'till' }],
      tokens: [{ repositoryAllowlist: ['acme/till'] }],
    },
    steps: ['GET /token', 'GET repositories', launch(), launch({ repositoryId: 'repo_till' })],
    show: 'repositoryAllowlist repositories.*.name',
  },
  {
    name: 'repositories of the same name have different ids',
    options: { repositories: [{ name: 'Shop' }, { owner: 'other' }, { name: 'shop-front' }] },
    steps: ['GET repositories'],
    show: 'repositories.*.id repositories.*.slug repositories.*.url',
  },
  {
    name: 'requests over the ceiling of a token are refused until the window ends',
    options: { tokens: [{ requestCeiling: { requests: 2, windowSeconds: 30 } }, {}] },
    steps: [
      'GET /token',
      'GET /token',
      later('2024-05-01T10:00:10.500Z'),
      'GET /token',
      later('2024-05-01T10:00:30.500Z'),
      'GET /token',
    ],
  },
];
