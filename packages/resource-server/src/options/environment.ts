import { type Environment, platform } from '../platform/platform.ts';
import { ConfigurationError } from './configuration-error.ts';
import { type connectionKinds, optionErrors } from './options.ts';
import type { TokenVerifierOptions } from './token-verifier-options.ts';

type Connection = keyof typeof connectionKinds;

/** The variable of each option that can come from the environment. */
export const variables: Readonly<Record<Connection, string>> = {
  url: 'WATCHWORD_URL',
  tokenInfoUrl: 'WATCHWORD_TOKENINFO_URL',
  key: 'WATCHWORD_TOKENINFO_KEY',
  secret: 'WATCHWORD_TOKENINFO_SECRET',
  jsonTypeInfoIncluded: 'WATCHWORD_TOKENINFO_JSON_TYPE_INFO_INCLUDED',
  issuer: 'WATCHWORD_TOKENINFO_ISSUER',
  resource: 'WATCHWORD_RESOURCE',
  publicUrl: 'WATCHWORD_PUBLIC_URL',
};

const truths = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * Options from the environment, to use as they are or to add others to. A variable that is empty is as good as absent, and
 * `WATCHWORD_TOKENINFO_URL` goes before `WATCHWORD_URL`.
 * @throws ConfigurationError with every error of every variable at once
 */
export function optionsFromEnvironment(
  environment: Environment = platform.process?.env ?? {},
): TokenVerifierOptions {
  const read = (option: Connection) => environment[variables[option]] || undefined;
  const flag = read('jsonTypeInfoIncluded');
  const tokenInfoUrl = read('tokenInfoUrl');
  const list = (option: Connection) => {
    const values = read(option)?.split(' ');
    return values?.length === 1 ? values[0] : values;
  };
  const given = {
    // A process that also gets tokens can have it for that.
    url: tokenInfoUrl === undefined ? read('url') : undefined,
    tokenInfoUrl,
    key: read('key'),
    secret: read('secret'),
    issuer: read('issuer'),
    resource: list('resource'),
    publicUrl: list('publicUrl'),
    jsonTypeInfoIncluded: flag === undefined ? undefined : (truths.get(flag) ?? flag),
  };
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const errors = optionErrors(values, (option) => variables[option as Connection]);
  if (errors.length > 0) throw new ConfigurationError('The environment variables', errors);
  return values as unknown as TokenVerifierOptions;
}
