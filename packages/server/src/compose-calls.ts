import { ModuleCalls, type ModuleFaultKind, patience } from './modules/module-calls.ts';
import type { Logger } from './runtime/logger.ts';
import type { Metrics } from './runtime/metrics.ts';

const words: Readonly<Record<ModuleFaultKind, string>> = {
  silent: `did not answer within ${patience} s`,
  stopped: 'had not answered when the server had to end',
  threw: 'threw an error',
  nonsense: 'answered what its contract does not have',
};

/** Calls modules. Each call that fails is logged and counted. */
export function composeModuleCalls(logger: Logger, metrics: Metrics): ModuleCalls {
  return new ModuleCalls((fault) => {
    const { setting, module, fault: kind } = fault;
    metrics.moduleFailed(setting, kind);
    logger.error(fault, `the ${setting} module "${module}" ${words[kind]}`);
  });
}
