import type { HostRule } from '../../model/records/host-rule.ts';

/** Which clients may bring a document: `on` is every host that is not blocked, a list the hosts that match one of its patterns. */
export type DocumentHosts = 'off' | 'on' | readonly string[];

/** The pattern as it is compared: in lower case, an international name in its ASCII form. `undefined` for a text that is none. */
export function hostPattern(text: string): string | undefined {
  const [, below = '', host = ''] = /^(\*\.)?([^*/?#@\\:[\]\s]+|\[[0-9a-fA-F:.]+\])$/.exec(text.trim()) ?? [];
  const parsed = URL.parse(`https://${host}/`);
  if (host === '' || parsed === null || parsed.hostname.endsWith('.')) return undefined;
  return `${below}${parsed.hostname}`;
}

/** Whether the clients of a host may bring a document. The most specific pattern decides, and of two equal ones the one that blocks. */
export function isHostAllowed(
  hostname: string,
  hosts: DocumentHosts,
  rules: readonly Pick<HostRule, 'pattern' | 'effect'>[],
): boolean {
  if (hosts === 'off') return false;
  const allowed = hosts === 'on' ? [] : hosts.map((pattern) => ({ pattern, effect: 'allow' }) as const);
  const matching = [...rules, ...allowed].filter(({ pattern }) => matchesHost(pattern, hostname));
  const length = Math.max(0, ...matching.map(({ pattern }) => specificity(pattern)));
  const deciding = matching.filter(({ pattern }) => specificity(pattern) === length);
  if (deciding.length === 0) return hosts === 'on';
  return deciding.every(({ effect }) => effect === 'allow');
}

/** @param hostname as `URL.hostname` gives it */
function matchesHost(pattern: string, hostname: string): boolean {
  return pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern;
}

/** Every name below a host is longer than the pattern, so that a host alone is always the more specific one. */
function specificity(pattern: string): number {
  return pattern.startsWith('*.') ? pattern.length - 1 : pattern.length;
}
