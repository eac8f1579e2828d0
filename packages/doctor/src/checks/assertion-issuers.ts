import type { Configuration } from '@watchword/server/config/settings';
import { readIssuerKeys } from '@watchword/server/core/clients/issuer-keys';
import { broken, type Finding, ok } from '../finding.ts';
import type { Check, Reached } from '../patient.ts';

interface Examined extends Pick<Reached, 'clock'> {
  readonly configuration: Pick<Configuration, 'clients.assertionIssuers'> | undefined;
}

/** Whether the server can read the keys of the issuers that its settings name. It reads them in the same way, from this machine. */
export const assertionIssuers = {
  name: 'assertion-issuers',
  run({ configuration, clock }: Examined): Promise<readonly Finding[]> {
    const settings = configuration?.['clients.assertionIssuers'] ?? [];
    return Promise.all(
      settings.map(async (setting) => {
        const { issuer } = setting;
        const read = await readIssuerKeys(setting, clock);
        if ('problem' in read)
          return broken(`the keys of ${issuer} cannot be read: ${read.problem}`, { expected, advice });
        const { length } = read.keySet.keys;
        if (length === 0) return broken(`${issuer} has a set without keys`, { expected, advice });
        return ok(`${length} ${length === 1 ? 'key' : 'keys'} of ${issuer} can be read`);
      }),
    );
  },
} satisfies Check;

const expected = 'a JSON Web Key Set (RFC 7517), readable on this machine by the user of the server';
const advice =
  'correct clients.assertionIssuers or its files. In Kubernetes, the ServiceAccount of the server needs the role system:service-account-issuer-discovery';
