import { aFunction } from '../options/kinds.ts';
import type { AccessRules, RuleKinds } from './access-rules.ts';

/** Rules where `protect` stands around a handler. */
export interface WrapperRules<Preflight> extends AccessRules {
  /** Answers CORS preflights. The handler never sees one, for it relies on a token. Default: 204 that allows nothing. */
  readonly preflight?: Preflight;
}

export const wrapperKinds: RuleKinds = { preflight: aFunction };
