export {
  type DpopProof,
  dpopAlgorithms,
  dpopWindow,
  type ProvenRequest,
  verifyDpopProof,
} from './dpop-proof.ts';
export { ProofError, type ProofRule, proofRules } from './proof-error.ts';
export { sha256 } from './sha256.ts';
