import { ConfigurationError } from './configuration-error.ts';
import { type connectionKinds, optionErrors, type TokenVerifierOptions } from './options.ts';
import { type Environment, platform } from './platform.ts';

type Connection = keyof typeof connectionKinds;

/** The variable of each option that can come from the environment. */
export const variables: Readonly<Record<Connection, string>> = {
  tokenInfoUrl: 'WATCHWORD_TOKENINFO_URL',
  key: 'WATCHWORD_TOKENINFO_KEY',
  secret: 'WATCHWORD_TOKENINFO_SECRET',
  jsonTypeInfoIncluded: 'WATCHWORD_TOKENINFO_JSON_TYPE_INFO_INCLUDED',
  issuer: 'WATCHWORD_TOKENINFO_ISSUER',
};

const truths = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * Options from the environment, to use as they are or to add others to. A variable that is empty is as good as absent.
 * @throws ConfigurationError with every error of every variable at once
 */
export function optionsFromEnvironment(
  environment: Environment = platform.process?.env ?? {},
): TokenVerifierOptions {
  const read = (option: Connection) => environment[variables[option]] || undefined;
  const issuer = read('issuer');
  const flag = read('jsonTypeInfoIncluded');
  const values = {
    tokenInfoUrl: read('tokenInfoUrl'),
    key: read('key'),
    secret: read('secret'),
    ...(issuer !== undefined && { issuer }),
    ...(flag !== undefined && { jsonTypeInfoIncluded: truths.get(flag) ?? flag }),
  };
  const errors = optionErrors(values, (option) => variables[option as Connection]);
  if (errors.length > 0) throw new ConfigurationError('The environment variables', errors);
  return values as TokenVerifierOptions;
}
