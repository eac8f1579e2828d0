import { ModuleCalls, type ModuleFaultKind, patience } from './modules/module-calls.ts';
import type { Logger } from './runtime/logger.ts';
import type { Metrics } from './runtime/metrics.ts';

const words: Readonly<Record<ModuleFaultKind, string>> = {
  silent: `did not answer within ${patience} s`,
  stopped: 'had not answered when the server had to end',
  threw: 'threw an error',
  nonsense: 'answered what its contract does not have',
};

/** Calls modules; of each fault there is a line in the log, and a count. */
export function composeModuleCalls(logger: Logger, metrics: Metrics): ModuleCalls {
  return new ModuleCalls((fault) => {
    const { setting, module, fault: kind } = fault;
    metrics.moduleFailed(setting, kind);
    logger.error(fault, `the ${setting} module "${module}" ${words[kind]}`);
  });
}
