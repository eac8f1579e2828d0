import { errorRule } from '../model/errors/rules/error-rules.ts';
import { shellCommand } from '../model/shell-word.ts';

/** A rule in words, for the one who must mend what broke it. All texts are English. */
export interface RuleExplanation {
  readonly rule: string;
  readonly requirement: string;
  /** Where the rule comes from, such as `RFC 6749 §4.1.3`. */
  readonly section: string | undefined;
  /** The section on the web, if it has an address there. */
  readonly sectionUrl: string | undefined;
  /** Words in capitals are for the reader to replace. */
  readonly command: string | undefined;
  readonly advice: string;
}

/** The names in a command; without them it has a word in capitals. */
export interface NamedRecords {
  readonly clientId: string | undefined;
  /** Key of the resource server of the client. */
  readonly resourceServerKey: string | undefined;
}

/** `undefined` for a rule that this release does not have. */
export function explainRule(
  { clientId = 'CLIENT_ID', resourceServerKey = 'KEY' }: NamedRecords,
  name = '',
): RuleExplanation | undefined {
  const rule = errorRule(name);
  if (rule === undefined) return undefined;
  const { requirement, section, command, advice } = rule;
  return {
    rule: name,
    requirement,
    section,
    sectionUrl: sectionUrl(section),
    command: command && shellCommand(command, { client: clientId, resourceServer: resourceServerKey }),
    advice,
  };
}

function sectionUrl(section = ''): string | undefined {
  const [, number, part] = /^RFC (\d+) §([\d.]+)$/.exec(section) ?? [];
  return number === undefined ? undefined : `https://www.rfc-editor.org/rfc/rfc${number}#section-${part}`;
}
