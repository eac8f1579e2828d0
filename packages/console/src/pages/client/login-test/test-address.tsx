import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client, Versioned } from '@watchword/admin-client';
import { clientQuery, useRefresh } from '../../../api/queries.ts';
import { Code } from '../../../components/code.tsx';
import { Problem } from '../../../components/problem.tsx';
import { Button } from '../../../controls/button.tsx';
import { useEnvironment } from '../../../environment.ts';
import { loginTestRedirectUri } from '../../../session/login-test-answer.ts';
import { t } from '../../../texts/texts.ts';

interface TestAddressProps {
  readonly found: Versioned<Client>;
  /** Whether the client has the redirect URI of the test. */
  readonly hasAddress: boolean;
}

/**
 * Only a redirect URI of the client can receive the answer. The test has one of its own, which an administrator adds for it
 * and removes again. With pairwise subjects it would be another sector.
 */
export function TestAddress({ found: { record, version }, hasAddress }: TestAddressProps) {
  const { admin, baseUrl } = useEnvironment();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const uri = loginTestRedirectUri(baseUrl);
  const address = { resourceServerId: record.resourceserver_id, id: record.id };
  const changing = useMutation({
    mutationFn: (redirectUris: readonly string[]) =>
      admin.clients.update(address, { redirectUris }, { version }),
    onSuccess: (saved) => {
      queries.setQueryData(clientQuery(admin, address).queryKey, saved);
      void refresh();
    },
  });
  const others = record.redirectUris.filter((each) => each !== uri);
  if (!hasAddress && record.subjectType === 'pairwise')
    return <p className="warning">{t('loginTest.pairwise')}</p>;
  return (
    <div className="login-test-address">
      <p>{t(hasAddress ? 'loginTest.address.there' : 'loginTest.address.missing')}</p>
      <Code text={uri} what={t('loginTest.address.what')} />
      <div>
        <Button
          variant="default"
          disabled={changing.isPending}
          onClick={() => changing.mutate(hasAddress ? others : [...others, uri])}
        >
          {t(hasAddress ? 'loginTest.address.remove' : 'loginTest.address.add')}
        </Button>
      </div>
      {changing.error !== null && <Problem error={changing.error} />}
    </div>
  );
}
