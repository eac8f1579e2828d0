import type { ServerStore } from '@watchword/store-sql';
import type { Logger } from './logger.ts';

/** Logs one line for each thing that is wrong with the database server. The start does not wait for it, and does not fail by it. */
export async function logAdvice(advise: NonNullable<ServerStore['advise']>, logger: Logger): Promise<void> {
  const advice = await advise((error) =>
    logger.debug({ err: error }, 'a check of the database server failed'),
  );
  for (const sentence of advice) logger.warn(sentence);
  logger.debug({ findings: advice.length }, 'the database server was checked');
}
