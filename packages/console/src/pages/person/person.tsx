import { t } from '../../texts/texts.ts';
import './person.css';
import {
  type Account,
  countGrants,
  type Grant,
  type ReadList,
  type ResourceOwner,
} from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { usePages } from '../../api/use-pages.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { useNotice } from '../../components/notices.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { type Fact, Facts } from '../../components/records/facts.tsx';
import { More } from '../../components/tables/more.tsx';
import { Part } from '../../components/tables/part.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { routes } from '../../router/routes.ts';
import { rich } from '../../texts/rich.tsx';
import { accessColumns, grantsInWords } from '../access/access-columns.tsx';
import { EndDialog, type Ending } from '../access/end-dialog.tsx';
import { type AccountAction, accountActions, stateText } from '../accounts/account-columns.tsx';
import { AccountDialog } from '../accounts/account-dialog.tsx';
import { Confirmations } from '../accounts/confirmations.tsx';
import { type MadeLink, ResetLink } from '../accounts/reset-link.tsx';
import { AuditEntries } from '../audit/audit-entries.tsx';
import { type TokenAction, tokenColumns } from '../tokens/token-columns.tsx';
import { TokenDialog } from '../tokens/token-dialog.tsx';
import { type FactorRemoval, FactorsPart, RemoveFactors } from './factors-part.tsx';
import { LinksPart } from './links-part.tsx';
import { PersonDanger } from './person-danger.tsx';
import { SessionsPart } from './sessions-part.tsx';
import { useAccountOf, useFactorsOf, useGrantsOf, useTokensOf } from './use-person-records.ts';

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
  const factors = useFactorsOf(owner);
  const grants = useGrantsOf(owner);
  const tokens = useTokensOf(owner);
  const [ending, setEnding] = useState<Ending>();
  const [tokenAction, setTokenAction] = useState<TokenAction>();
  const [removal, setRemoval] = useState<FactorRemoval>();
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
      />
      {account.data != null && (
        <>
          <AccountPart account={account.data} />
          <LinksPart account={account.data} />
          <Confirmations title={t('confirmations.title')} of={{ accountId: account.data.id }} />
        </>
      )}
      <FactorsPart found={factors} onRemove={setRemoval} />
      <Part
        title={t('access.title')}
        noun={grantsInWords}
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
      {mayWrite && grants.data !== undefined && (
        <PersonDanger
          account={account.data}
          onEndAll={() => setEndingAll(true)}
          onResetFactors={factors.data?.items.length ? () => setRemoval('all') : undefined}
        />
      )}
      {ending !== undefined && <EndDialog ending={ending} onClose={() => setEnding(undefined)} />}
      {tokenAction !== undefined && (
        <TokenDialog action={tokenAction} onClose={() => setTokenAction(undefined)} />
      )}
      {removal !== undefined && (
        <RemoveFactors removal={removal} owner={owner} onClose={() => setRemoval(undefined)} />
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

/** The local account of the person, and what can be done with it. */
function AccountPart({ account }: { readonly account: Account }) {
  const { mayWrite } = usePerson();
  const [action, setAction] = useState<AccountAction>();
  const [made, setMade] = useState<MadeLink>();
  const { groups, roles, creationDate, resetLinkExpires } = account;
  return (
    <section className="part">
      <h2>{t('person.account')}</h2>
      <div className="part-frame">
        <Facts
          facts={[
            {
              label: t('account.state'),
              value: <span className={account.disabled ? 'warn-text' : undefined}>{stateText(account)}</span>,
            },
            ...contact(t('account.email'), account.email, account.emailVerified),
            ...text(t('account.groups'), groups.join(', ')),
            ...text(t('account.roles'), roles.join(', ')),
            ...contact(t('account.phoneNumber'), account.phoneNumber, account.phoneNumberVerified),
            ...text(t('account.givenName'), account.givenName),
            ...text(t('account.familyName'), account.familyName),
            ...text(t('account.nickname'), account.nickname),
            ...text(t('account.picture'), account.picture),
            ...text(t('account.locale'), account.locale),
            ...text(t('account.zoneinfo'), account.zoneinfo),
            ...text(t('account.address'), addressText(account.address)),
            { label: t('person.created'), value: <Timestamp time={creationDate} /> },
            ...(resetLinkExpires === null
              ? []
              : [{ label: t('person.resetLinkExpires'), value: <Timestamp time={resetLinkExpires} /> }]),
          ]}
        />
        {mayWrite && (
          <div className="page-actions">
            {accountActions(account, setAction)
              .filter(({ isDangerous }) => isDangerous !== true)
              .map(({ label, onClick }) => (
                <Button key={label} variant="default" onClick={onClick}>
                  {label}
                </Button>
              ))}
          </div>
        )}
      </div>
      {action !== undefined && (
        <AccountDialog action={action} onReset={setMade} onClose={() => setAction(undefined)} />
      )}
      {made !== undefined && <ResetLink made={made} onClose={() => setMade(undefined)} />}
    </section>
  );
}

function text(label: string, value: string): Fact[] {
  return value === '' ? [] : [{ label, value: <bdi>{value}</bdi> }];
}

/** What is not verified says so. */
function contact(label: string, value: string, isVerified: boolean): Fact[] {
  if (value === '') return [];
  const state = isVerified ? undefined : <span className="warn-text"> ({t('account.unverified')})</span>;
  return [
    {
      label,
      value: (
        <>
          <bdi>{value}</bdi>
          {state}
        </>
      ),
    },
  ];
}

function addressText({
  formatted,
  streetAddress,
  postalCode,
  locality,
  region,
  country,
}: Account['address']) {
  return formatted ?? [streetAddress, postalCode, locality, region, country].filter(Boolean).join(', ');
}

// So many fit below the rest of the page; more on request.
const limit = 20;

/** What this person did, and what was done with what is theirs. */
function HistoryPart({ owner }: { readonly owner: ResourceOwner }) {
  const { admin } = useEnvironment();
  const { resourceOwnerId, resourceOwnerAuthority: identityProvider } = owner;
  const { items, error, refetch, hasMore, readMore, isReadingMore } = usePages(
    ['audit', 'person', owner],
    ({ cursor }, options) =>
      admin.auditEvents.list({ cursor, limit, resourceOwnerId, identityProvider }, options),
  );
  return (
    <section className="part">
      <h2>{t('audit.title')}</h2>
      {items === undefined ? (
        <Waiting error={error} refetch={refetch} />
      ) : items.length === 0 ? (
        <p className="quiet">{t('person.noEvents')}</p>
      ) : (
        <AuditEntries events={items} />
      )}
      <More {...{ hasMore, isReadingMore, readMore }} />
    </section>
  );
}

interface EndEverythingDialogProps {
  readonly owner: ResourceOwner;
  readonly grants: ReadList<Grant>;
  readonly hasAccount: boolean;
  readonly onClose: () => void;
}

/** Ends every login, every grant with its tokens, and every remembered consent of a person. */
function EndEverythingDialog({ owner, grants, hasAccount, onClose }: EndEverythingDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const { resourceOwnerId, resourceOwnerAuthority } = owner;
  const { grants: active, consents } = countGrants(grants.items);

  async function end() {
    // A former holder of the name has another subject, and can have left consents.
    const subjects = new Set(grants.items.map(({ subject }) => subject));
    let ended = 0;
    for (const subject of subjects) ended += (await admin.grants.endAll({ subject })).grants;
    const { grants: others, loginSessions } = await admin.resourceOwners.revoke(owner);
    notify(t('person.end.done', { grants: ended + others, logins: loginSessions, person: resourceOwnerId }));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('person.end.title', { person: resourceOwnerId })}
      action={t('person.end.action')}
      onConfirm={end}
      onClose={onClose}
    >
      <p>{rich('person.end.lead', { person: resourceOwnerId, identityProvider: resourceOwnerAuthority })}</p>
      <ul className="consequences">
        <li>{t('person.end.logins')}</li>
        <li>{t(grants.isComplete ? 'person.end.grants' : 'person.end.grantsMore', { grants: active })}</li>
        <li>{t(grants.isComplete ? 'person.end.consents' : 'person.end.consentsMore', { consents })}</li>
      </ul>
      <p>{t(hasAccount ? 'person.end.account' : 'person.end.elsewhere')}</p>
    </ConfirmDialog>
  );
}
