import type { AuditEvent } from '@watchword/admin-client';
import { PersonLink } from '../../components/person-link.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { rich } from '../../texts/rich.tsx';
import { AuditChanges } from './audit-changes.tsx';
import { actionText, actorText, recordText } from './audit-texts.tsx';
import { RecordLink } from './record-link.tsx';

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
  const { before, after, source, clientId } = event;
  return (
    <li className="audit-log-entry">
      <details>
        <summary className="audit-log-line">
          <AuditLine event={event} />
        </summary>
        <div className="audit-log-details">
          {(before !== null || after !== null) && <AuditChanges before={before} after={after} />}
          <p className="quiet">
            {rich('audit.recordBy', {
              record: <RecordLink event={event} />,
              actor: <ActorLink event={event} />,
            })}
          </p>
          {source !== '' && (
            <p className="quiet">
              {clientId === null
                ? rich('audit.from', { source: <code>{source}</code> })
                : rich('audit.fromThrough', {
                    source: <code>{source}</code>,
                    client: <code>{clientId}</code>,
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
}

/** What was done with which record, by whom, and when. */
export function AuditLine({ event, isLinked = false }: AuditLineProps) {
  const { action, recordType, recordName, actor, time } = event;
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
      </span>
      <Timestamp time={time} />
    </>
  );
}

function ActorLink({ event: { actor, actorAuthority } }: { readonly event: AuditEvent }) {
  return <PersonLink owner={{ resourceOwnerId: actor, resourceOwnerAuthority: actorAuthority }} />;
}
