import type { Tracer } from '@watchword/protocol';
import { ModuleCalls, type ModuleFailureKind, patience } from '../../modules/module-calls.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import type { Metrics } from '../../runtime/metrics/metrics.ts';

const words: Readonly<Record<ModuleFailureKind, string>> = {
  timeout: `did not answer within ${patience} s`,
  shutdown: 'did not answer before the server shut down',
  exception: 'threw an error',
  invalid_answer: 'returned an answer that its contract does not permit',
};

/** Calls modules. Each call that fails is logged and counted. */
export function composeModuleCalls(
  logger: Logger,
  metrics: Metrics,
  tracer: Tracer | undefined,
): ModuleCalls {
  return new ModuleCalls((call) => {
    const { setting, module, failure } = call;
    metrics.moduleFailed(setting, failure);
    logger.error(call, `the ${setting} module "${module}" ${words[failure]}`);
  }, tracer);
}
