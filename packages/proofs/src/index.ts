export { type CertificateForm, certificateForms, certificateThumbprint } from './certificate.ts';
export {
  type DpopProof,
  dpopAlgorithms,
  dpopWindow,
  type ProvenRequest,
  verifyDpopProof,
} from './dpop-proof.ts';
export {
  isOneOf,
  type KeySet,
  type ListedKey,
  maxKeySetBytes,
  maxKeys,
  noKeys,
  readKeySet,
  signatureKeys,
  usualName,
} from './key-set.ts';
export { ProofError, type ProofRule, proofRules } from './proof-error.ts';
export { signatureAlgorithms } from './public-key.ts';
export { sha256 } from './sha256.ts';
export {
  clockSkew,
  type JwtExpectations,
  type JwtRefusal,
  jwtRefusal,
  maxTries,
  parseJwt,
  type UnverifiedJwt,
} from './signed-jwt.ts';
