import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../configuration-error.ts';
import { isMetricsToken, metricsTokenForm } from './checks.ts';
import type { Configuration } from './settings.ts';

type MetricsTokenSettings = Pick<Configuration, 'metrics.token' | 'metrics.tokenFile'>;

/** The bearer token of the metrics, from its setting or its file. @throws ConfigurationError */
export async function metricsToken(configuration: MetricsTokenSettings): Promise<string | undefined> {
  const { 'metrics.token': token, 'metrics.tokenFile': file } = configuration;
  if (file === undefined) return token;
  if (token !== undefined)
    throw problemOf(file, 'cannot be set together with metrics.token; remove one of them');
  const text = (await contentOf(file)).trim();
  if (!isMetricsToken(text)) throw problemOf(file, `expected ${metricsTokenForm}, got another text`);
  return text;
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw problemOf(file, `cannot be read: ${(error as Error).message}`);
  }
}

function problemOf(place: string, problem: string): ConfigurationError {
  return new ConfigurationError([{ path: 'metrics.tokenFile', place, problem }]);
}
