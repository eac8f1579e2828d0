import { createOutboundFetch } from '@watchword/outbound';
import {
  type ModuleAnswer,
  type ModuleEndpoint,
  ModuleOptionsError,
  type ModuleRequest,
  OAuthError,
  type OneTimeStore,
} from '@watchword/protocol';
import { testLoginAttempts } from '@watchword/server-testkit/people/login-attempts';
import { FakeClock, memoryStore } from '@watchword/testkit';
import { instanceServices } from '../../../server/src/modules/services/instance-services.ts';
import { systemRandom } from '../../../server/src/system.ts';
import { samlModule } from '../../src/index.ts';

export const baseUrl = 'https://id.example';

/** The module without a server, as one of several nodes runs it. */
export interface SamlNode {
  readonly module: Awaited<ReturnType<typeof samlModule>>;
  readonly clock: FakeClock;
  /** Log lines, as `level message {details}`. */
  readonly lines: string[];
  answer(
    path: string,
    parameters: Record<string, string>,
    more?: Partial<ModuleRequest>,
  ): Promise<ModuleAnswer>;
}

export async function startNode(
  settings: Record<string, unknown>,
  oneTime: OneTimeStore = memoryStore().oneTime,
  clock = new FakeClock(Date.now()),
): Promise<SamlNode> {
  const lines: string[] = [];
  const loginAttemptsOf = testLoginAttempts({ store: memoryStore().loginAttempts, clock });
  const module = await samlModule({
    settings,
    services: instanceServices(
      { clock, random: systemRandom, oneTime, loginAttemptsOf, createOutboundFetch, baseUrl },
      { name: () => 'saml' },
    ),
    errors: { OAuthError, ModuleOptionsError },
    log: (level, message, details = {}) => void lines.push(`${level} ${message} ${JSON.stringify(details)}`),
  });
  return {
    module,
    clock,
    lines,
    answer: (path, parameters, more = {}) =>
      endpointAt(module.endpoints ?? [], path).answer({
        parameters: new Map(Object.entries(parameters).map(([name, value]) => [name, [value]])),
        query: new URLSearchParams(parameters).toString(),
        requestId: 'request-1',
        source: '192.0.2.1',
        language: 'en',
        remembered: undefined,
        ...more,
      }),
  };
}

function endpointAt(endpoints: readonly ModuleEndpoint[], path: string): ModuleEndpoint {
  const found = endpoints.find((endpoint) => endpoint.path === path);
  if (found === undefined) throw new Error(`the module has no endpoint ${path}`);
  return found;
}
