import { countGrants, type Grant, isConsentAlone, isConsentRemembered } from '@watchword/admin-client';
import { PersonLink } from '../../components/records/person-link.tsx';
import { Scopes } from '../../components/records/scopes.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { actionColumn } from '../../components/tables/usual-columns.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { count } from '../../format/count.ts';
import { Link } from '../../router/link.tsx';
import { routeTo } from '../../router/place.ts';
import { clientNamedRoute, routes } from '../../router/routes.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import type { Ending } from './end-dialog.tsx';

interface AccessColumnOptions {
  readonly withClient: boolean;
  readonly withPerson?: boolean;
  readonly mayWrite: boolean;
  readonly onEnd: (ending: Ending) => void;
}

export function accessColumns({
  withClient,
  withPerson = true,
  mayWrite,
  onEnd,
}: AccessColumnOptions): readonly Column<Grant>[] {
  return [
    ...(withPerson ? [personColumn()] : []),
    ...(withClient ? [clientColumn(withPerson)] : []),
    scopesColumn(),
    holdsColumn(),
    sinceColumn(),
    ...(mayWrite ? [endColumn(onEnd)] : []),
  ];
}

const personColumn = (): Column<Grant> => ({
  key: 'person',
  header: t('access.person'),
  value: ({ resourceOwnerId }) => resourceOwnerId,
  cell: (grant) => {
    const { resourceOwnerId, resourceOwnerAuthority, subject, principal } = grant;
    const displayName = principal?.attributes.DISPLAY_NAME ?? resourceOwnerId;
    const from = { name: resourceOwnerId, identityProvider: resourceOwnerAuthority };
    return (
      <div>
        <PersonLink owner={grant} otherwise={routeTo(routes.access, { subject })} className="row-link">
          {displayName}
        </PersonLink>
        <p className="row-note one-line" title={t('access.nameFrom', from)}>
          {displayName === resourceOwnerId
            ? t('access.from', { identityProvider: resourceOwnerAuthority })
            : rich('access.nameFrom', from)}
        </p>
      </div>
    );
  },
});

/** How many a list has, by the numbers that the dialogs have: of remembered consents, only those that stand alone. */
export function grantsInWords(listed: readonly Grant[]): string {
  const { grants, consentsAlone } = countGrants(listed);
  return consentsAlone === 0
    ? count(grants, 'grant')
    : t('access.counted', { grants, consents: consentsAlone });
}

/** The client narrows a list of many people, and leads to its own page from that of one person. */
const clientColumn = (withPerson: boolean): Column<Grant> => ({
  key: 'client',
  header: t('access.client'),
  value: ({ clientName }) => clientName,
  cell: ({ clientId, clientName, resourceServerName }) => (
    <div>
      <Link
        to={withPerson ? routeTo(routes.access, { client: clientId }) : clientNamedRoute(clientId)}
        className="row-link"
        title={clientId}
      >
        <bdi>{clientName}</bdi>
      </Link>
      <p className="row-note one-line" title={resourceServerName}>
        {rich('access.ofServer', { resourceServer: resourceServerName })}
      </p>
    </div>
  ),
});

const scopesColumn = (): Column<Grant> => ({
  key: 'scopes',
  header: t('scopes.label'),
  isFlexible: true,
  value: (grant) => scopesOf(grant).length,
  cell: (grant) => <Scopes scopes={scopesOf(grant)} isShort />,
});

/** Those of another resource server than that of the client come after its name. */
function scopesOf(grant: Grant): readonly string[] {
  const shown = ({ scopes, consentedScopes }: Pick<Grant, 'scopes' | 'consentedScopes'>) =>
    isConsentAlone(grant) ? consentedScopes : scopes;
  const others = grant.otherResourceServers.flatMap((other) =>
    shown(other).map((scope) => `${other.resourceServerName}: ${scope}`),
  );
  return [...shown(grant), ...others];
}

const holdsColumn = (): Column<Grant> => ({
  key: 'holds',
  header: t('access.holds'),
  value: holds,
  cell: (grant) => (
    <div>
      {holds(grant)}
      {isConsentRemembered(grant) && <p className="row-note one-line">{t('access.remembered')}</p>}
    </div>
  ),
});

/** What the client has: "refresh token, 2 access tokens". */
function holds(grant: Grant): string {
  if (isConsentAlone(grant)) return t('access.noToken');
  if (grant.part) return t('access.part');
  const { refreshToken, accessTokens } = grant;
  const tokens = [
    ...(refreshToken ? [t('access.refreshToken')] : []),
    ...(accessTokens > 0 ? [count(accessTokens, 'accessToken')] : []),
  ];
  return tokens.join(', ') || t('access.code');
}

const sinceColumn = (): Column<Grant> => ({
  key: 'since',
  header: t('access.since'),
  value: ({ creationDate }) => creationDate,
  cell: ({ creationDate, lastUsed }) => (
    <div>
      <Timestamp time={creationDate} />
      {lastUsed !== null && (
        <p className="row-note one-line">
          {rich('access.lastToken', { time: <Timestamp time={lastUsed} /> })}
        </p>
      )}
    </div>
  ),
});

const endColumn = (onEnd: (ending: Ending) => void) =>
  actionColumn<Grant>(
    ({ clientId, resourceOwnerId: person }) => t('access.actions', { client: clientId, person }),
    (grant) => [
      { label: t('access.end'), onClick: () => onEnd({ of: 'one', grant }), isDangerous: true },
      {
        label: t('access.endBoth', { client: grant.clientName, person: grant.resourceOwnerId }),
        onClick: () => onEnd({ of: 'both', grant }),
        isDangerous: true,
      },
      {
        label: t('access.endPerson', { person: grant.resourceOwnerId }),
        onClick: () => onEnd({ of: 'person', grant }),
        isDangerous: true,
      },
    ],
  );
