import { isMetricsToken, metricsTokenForm } from './checks.ts';
import { secretOf } from './secret-file.ts';
import type { Configuration } from './settings.ts';

type MetricsTokenSettings = Pick<Configuration, 'metrics.token' | 'metrics.tokenFile'>;

/** The bearer token of the metrics, from its setting or its file. @throws ConfigurationError */
export function metricsToken(configuration: MetricsTokenSettings): Promise<string | undefined> {
  return secretOf({
    path: 'metrics.token',
    filePath: 'metrics.tokenFile',
    text: configuration['metrics.token'],
    file: configuration['metrics.tokenFile'],
    form: metricsTokenForm,
    isValid: isMetricsToken,
  });
}
