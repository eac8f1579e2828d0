import type { Client } from '@watchword/admin-client';
import { Code } from '../../components/code.tsx';
import { Facts } from '../../components/records/facts.tsx';
import { LostSecret } from '../../components/records/lost-secret.tsx';
import { Snippets } from '../../components/records/snippets.tsx';
import { useEnvironment } from '../../environment.ts';
import { usesSecret } from '../../rules/uses-secret.ts';
import { clientSnippets, serverAddresses } from '../../snippets/client-snippets.ts';
import { t } from '../../texts/texts.ts';

interface ClientSnippetsProps {
  readonly client: Client;
  /** Only directly after it was made. */
  readonly secret?: string;
}

/** Lines that use a client that can get tokens. */
export function ClientSnippets({ client, secret }: ClientSnippetsProps) {
  const { issuer } = useEnvironment();
  return <Snippets snippets={clientSnippets(issuer, client, secret)} />;
}

/** What an application has to be told, each to copy, and lines to paste. */
export function ClientUse({ client }: { readonly client: Client }) {
  const { issuer } = useEnvironment();
  return (
    <>
      <Facts
        isList
        facts={[
          {
            label: t('client.idName'),
            value: <Code text={client.clientId} what={t('client.theClientId')} />,
          },
          ...serverAddresses(issuer, client).map(({ name, address }) => {
            const label = t(`client.use.${name}`);
            return { label, value: <Code text={address} what={label} /> };
          }),
        ]}
      />
      <ClientSnippets client={client} />
      {usesSecret(client) && <LostSecret tab="secrets" />}
    </>
  );
}
