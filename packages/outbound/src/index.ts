export type { OutboundAnswer } from './answer.ts';
export type { Resolve } from './checked-addresses.ts';
export { OutboundError, type OutboundErrorKind } from './outbound-error.ts';
export {
  createOutboundFetch,
  defaultLimits,
  type OutboundFetch,
  type OutboundLimits,
  type OutboundPolicy,
  type OutboundRequest,
} from './outbound-fetch.ts';
export { isPublicAddress } from './public-address.ts';
