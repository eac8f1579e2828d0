import { t } from '../../texts/texts.ts';
import './person.css';
import type { ResourceOwner } from '@watchword/admin-client';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Button } from '../../controls/button.tsx';
import { usePerson } from '../../environment.ts';
import { routes } from '../../router/routes.ts';
import { accessColumns } from '../access/access-columns.tsx';
import { EndDialog } from '../access/end-dialog.tsx';
import type { Ending } from '../access/ending.ts';
import { type TokenAction, tokenColumns } from '../tokens/token-columns.tsx';
import { TokenDialog } from '../tokens/token-dialog.tsx';
import { AccountPart } from './account-part.tsx';
import { EndEverythingDialog } from './end-everything-dialog.tsx';
import { HistoryPart } from './history-part.tsx';
import { Part } from './part.tsx';
import { SessionsPart } from './sessions-part.tsx';
import { useAccountOf, useGrantsOf, useTokensOf } from './use-person-records.ts';

/** All that the server has of one person, for administrators. */
export function PersonPage(owner: ResourceOwner) {
  const { isAdministrator } = usePerson();
  if (isAdministrator) return <Shown owner={owner} />;
  return (
    <EmptyState title={t('person.onlyAdministrators')} isHeading>
      <LinkButton to={routes.access}>{t('person.toAccess')}</LinkButton>
    </EmptyState>
  );
}

function Shown({ owner }: { readonly owner: ResourceOwner }) {
  const { mayWrite } = usePerson();
  const { resourceOwnerId, resourceOwnerAuthority } = owner;
  const account = useAccountOf(owner);
  const grants = useGrantsOf(owner);
  const tokens = useTokensOf(owner);
  const [ending, setEnding] = useState<Ending>();
  const [tokenAction, setTokenAction] = useState<TokenAction>();
  const [isEndingAll, setEndingAll] = useState(false);
  const displayName =
    account.data?.displayName ?? grants.data?.items[0]?.principal?.attributes.DISPLAY_NAME ?? resourceOwnerId;
  return (
    <>
      <PageHeader
        title={displayName}
        above={[{ to: routes.access, label: t('access.title') }]}
        lead={
          <Facts
            facts={[
              ...(displayName === resourceOwnerId
                ? []
                : [{ label: t('account.name'), value: <bdi>{resourceOwnerId}</bdi> }]),
              { label: t('providers.name'), value: <bdi>{resourceOwnerAuthority}</bdi> },
            ]}
          />
        }
        actions={
          mayWrite &&
          grants.data !== undefined && (
            <Button variant="outline" color="red" onClick={() => setEndingAll(true)}>
              {t('person.end.action')}
            </Button>
          )
        }
      />
      {account.data != null && <AccountPart account={account.data} />}
      <Part
        title={t('access.title')}
        noun="grant"
        columns={accessColumns({ withClient: true, withPerson: false, mayWrite, onEnd: setEnding })}
        found={grants}
        sortedBy="since"
        empty={t('person.noAccess')}
      />
      <SessionsPart owner={owner} />
      <Part
        title={t('person.tokens')}
        noun="token"
        columns={tokenColumns({ withClient: true, withOwner: false, mayWrite, onAction: setTokenAction })}
        found={tokens}
        sortedBy="created"
        empty={t('person.noTokens')}
      />
      <HistoryPart owner={owner} />
      {ending !== undefined && <EndDialog ending={ending} onClose={() => setEnding(undefined)} />}
      {tokenAction !== undefined && (
        <TokenDialog action={tokenAction} onClose={() => setTokenAction(undefined)} />
      )}
      {isEndingAll && grants.data !== undefined && (
        <EndEverythingDialog
          owner={owner}
          grants={grants.data}
          hasAccount={account.data != null}
          onClose={() => setEndingAll(false)}
        />
      )}
    </>
  );
}
