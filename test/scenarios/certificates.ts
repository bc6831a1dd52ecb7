import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A private key and its certificate, in PEM. */
export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

export interface Authority {
  /** The authority's own certificate, in PEM. */
  readonly cert: string;
  issue(hosts: {
    readonly names: readonly string[];
    readonly addresses: readonly string[];
  }): KeyAndCertificate;
}

const DAY_MS = 86_400_000;
const OID = {
  commonName: '550403',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  ecdsaWithSha256: '2a8648ce3d040302',
};

/** A certificate authority that no client knows (RFC 5280, P-256). It is valid from yesterday until tomorrow. */
export function createAuthority(): Authority {
  const name = 'Test authority';
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const isAuthority = extension(OID.basicConstraints, tlv(0x30, tlv(0x01, Buffer.of(0xff))), true);
  return {
    cert: certificate(
      { name, issuer: name, publicKey: own.publicKey, extension: isAuthority },
      own.privateKey,
    ),
    issue({ names, addresses }) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const alternatives = tlv(
        0x30,
        ...names.map((host) => tlv(0x82, Buffer.from(host))),
        ...addresses.map((address) => tlv(0x87, Buffer.from(address.split('.').map(Number)))),
      );
      const subject = { name: 'Test server', issuer: name, publicKey };
      return {
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        cert: certificate(
          { ...subject, extension: extension(OID.subjectAltName, alternatives, false) },
          own.privateKey,
        ),
      };
    },
  };
}

interface Subject {
  readonly name: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly extension: Buffer;
}

function certificate({ name, issuer, publicKey, extension: only }: Subject, signer: KeyObject): string {
  const algorithm = tlv(0x30, oid(OID.ecdsaWithSha256));
  const body = tlv(
    0x30,
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    // The serial number: the byte 1 and eight random bytes. Because of the 1, the number is positive.
    tlv(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    distinguishedName(issuer),
    tlv(0x30, time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, tlv(0x30, only)),
  );
  const signature = tlv(0x03, Buffer.of(0), sign('sha256', body, signer));
  const lines =
    tlv(0x30, body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function distinguishedName(commonName: string): Buffer {
  return tlv(0x30, tlv(0x31, tlv(0x30, oid(OID.commonName), tlv(0x0c, Buffer.from(commonName)))));
}

function extension(id: string, value: Buffer, critical: boolean): Buffer {
  const flag = critical ? [tlv(0x01, Buffer.of(0xff))] : [];
  return tlv(0x30, oid(id), ...flag, tlv(0x04, value));
}

/** A time as UTCTime. Its years have two digits, which is enough until 2049. */
function time(ms: number): Buffer {
  return tlv(0x17, Buffer.from(`${new Date(ms).toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`));
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

/** An element of DER: tag, length, value. */
function tlv(tag: number, ...pieces: readonly Buffer[]): Buffer {
  const value = Buffer.concat(pieces);
  const { length } = value;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), value]);
  const bytes = length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
  return Buffer.concat([Buffer.of(tag), bytes, value]);
}
