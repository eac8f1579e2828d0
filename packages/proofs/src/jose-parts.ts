export { compactVerify } from 'jose/jws/compact/verify';
export { importJWK } from 'jose/key/import';
