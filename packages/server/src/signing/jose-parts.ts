/** The parts of the library that the server uses: all of it takes twice the time to load. */
export * as base64url from 'jose/base64url';
export { decodeProtectedHeader } from 'jose/decode/protected_header';
export { JOSEError } from 'jose/errors';
export { CompactSign } from 'jose/jws/compact/sign';
export { compactVerify } from 'jose/jws/compact/verify';
export { decodeJwt } from 'jose/jwt/decode';
export { exportJWK, exportPKCS8 } from 'jose/key/export';
export { generateKeyPair } from 'jose/key/generate/keypair';
export { importJWK, importPKCS8 } from 'jose/key/import';
