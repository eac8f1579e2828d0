import type { AuditEvent } from '@watchword/admin-client';
import { ClientLink } from '../../components/records/client-link.tsx';
import { PersonLink } from '../../components/records/person-link.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { zonedTimeText } from '../../format/time.ts';
import { isEmpty, valueText } from '../../format/value.ts';
import { Link } from '../../router/link.tsx';
import { resourceServerRoute, routes } from '../../router/routes.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { actionText, actorText, isOwnClient, recordText } from './audit-texts.tsx';

interface AuditEntriesProps {
  readonly events: readonly AuditEvent[];
}

/** Audit events in the order of the list. */
export function AuditEntries({ events }: AuditEntriesProps) {
  return (
    <ol className="audit-log">
      {events.map((event) => (
        <AuditEntry key={event.id} event={event} />
      ))}
    </ol>
  );
}

/** One line, with its details behind it. */
function AuditEntry({ event }: { readonly event: AuditEvent }) {
  const { before, after, source, clientId, clientName, time } = event;
  return (
    <li className="audit-log-entry">
      <details>
        <summary className="audit-log-line">
          <AuditLine event={event} isExact />
        </summary>
        <div className="audit-log-details">
          {(before !== null || after !== null) && <AuditChanges before={before} after={after} />}
          <p className="quiet">
            {rich('audit.recordBy', {
              record: <RecordLink event={event} />,
              actor: <ActorLink event={event} />,
            })}
          </p>
          <p className="quiet">
            {rich('audit.at', {
              time: zonedTimeText(time),
              iso: <code>{new Date(time).toISOString()}</code>,
            })}
          </p>
          {source !== '' && (
            <p className="quiet">
              {clientId === null
                ? rich('audit.from', { source: <code>{source}</code> })
                : rich('audit.fromThrough', {
                    source: <code>{source}</code>,
                    client: (
                      <>
                        <bdi>{clientName}</bdi> <code>{clientId}</code>
                      </>
                    ),
                  })}
            </p>
          )}
        </div>
      </details>
    </li>
  );
}

interface AuditLineProps {
  readonly event: AuditEvent;
  /** Record and actor lead to their pages. */
  readonly isLinked?: boolean;
  /** The time itself stands there, and not how long ago it was. */
  readonly isExact?: boolean;
}

/** What was done with which record, by whom, and when. */
export function AuditLine({ event, isLinked = false, isExact = false }: AuditLineProps) {
  const { action, recordType, recordName, actor, clientName, time } = event;
  return (
    <>
      <span className="audit-log-action" data-action={action}>
        {actionText(action)}
      </span>
      <span className="audit-log-record">
        {recordText(recordType, isLinked ? <RecordLink event={event} /> : <code>{recordName}</code>)}
      </span>
      <span className="audit-log-actor">
        {isLinked ? <ActorLink event={event} /> : <bdi>{actor}</bdi>}{' '}
        <span className="quiet">{actorText(event)}</span>
        {clientName !== null && !isOwnClient(event) && (
          <>
            {' '}
            <span className="quiet">{rich('audit.through', { client: <bdi>{clientName}</bdi> })}</span>
          </>
        )}
      </span>
      <Timestamp time={time} isExact={isExact} />
    </>
  );
}

function ActorLink({ event: { actor, actorAuthority } }: { readonly event: AuditEvent }) {
  return <PersonLink owner={{ resourceOwnerId: actor, resourceOwnerAuthority: actorAuthority }} />;
}

type State = Readonly<Record<string, unknown>> | null;

/** The changed fields, each with its values before and after the change. */
function AuditChanges({ before, after }: { readonly before: State; readonly after: State }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const shown = names.filter((name) => !isEmpty(before?.[name]) || !isEmpty(after?.[name]));
  if (shown.length === 0) return <p className="quiet">{t('audit.unchanged')}</p>;
  return (
    <table className="changes">
      <thead>
        <tr>
          <th scope="col">{t('audit.field')}</th>
          {before !== null && <th scope="col">{t('audit.before')}</th>}
          {after !== null && <th scope="col">{t(before === null ? 'audit.value' : 'audit.after')}</th>}
        </tr>
      </thead>
      <tbody>
        {shown.map((name) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            {before !== null && (
              <td className={after === null ? undefined : 'was'}>{valueText(before[name])}</td>
            )}
            {after !== null && <td>{valueText(after[name])}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The name of the record of an event. It leads to the page of the record, if there is one. */
function RecordLink({ event }: { readonly event: AuditEvent }) {
  const { action, recordType, recordId, recordName, owner, ownerAuthority } = event;
  const name = <code>{recordName}</code>;
  switch (recordType) {
    case 'resourceServer':
      return action === 'delete' ? name : <Link to={resourceServerRoute(Number(recordId))}>{name}</Link>;
    case 'client':
      return action === 'delete' ? name : <ClientLink clientId={recordName} />;
    case 'accessToken':
    case 'grant':
      return <ClientLink clientId={recordName} />;
    case 'account':
    case 'loginSession':
    case 'resourceOwner':
      return <PersonLink owner={{ resourceOwnerId: owner, resourceOwnerAuthority: ownerAuthority }} />;
    case 'identityProvider':
      return <Link to={routes.identityProviders}>{name}</Link>;
    default:
      return name;
  }
}
