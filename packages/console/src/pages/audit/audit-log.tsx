import type { AuditEvent } from '@watchword/admin-client';
import { usePages } from '../../api/use-pages.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PersonLink } from '../../components/person-link.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Button } from '../../controls/button.tsx';
import { Select } from '../../controls/inputs.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { useListState } from '../../router/use-list-state.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { AuditChanges } from './audit-changes.tsx';
import { actionText, actorText, filterFor, recordText, selections } from './audit-texts.tsx';
import { RecordLink } from './record-link.tsx';

export function AuditLog() {
  const { admin } = useEnvironment();
  const { isAdministrator } = usePerson();
  const list = useListState({ key: 'time', isDescending: true });
  const { q } = list;
  const selection = list.get('type');
  const filter = { q: q || undefined, ...filterFor(selection) };
  const { items, error, refetch, hasMore, readMore, isReadingMore } = usePages(
    ['audit', filter],
    (page, options) => admin.auditEvents.list({ ...page, ...filter }, options),
  );
  return (
    <>
      <PageHeader title={t('audit.title')} lead={t(isAdministrator ? 'audit.leadAll' : 'audit.leadOwn')} />
      <div className="toolbar">
        <SearchBox label={t('audit.search')} value={list.q} onSearch={(value) => list.set({ q: value })} />
        <Select
          size="xs"
          aria-label={t('audit.kind')}
          value={selection}
          onChange={({ currentTarget }) => list.set({ type: currentTarget.value })}
          data={selections()}
        />
      </div>
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {items === undefined
        ? error === null && <Loading rows={8} />
        : items.length === 0 && (
            <EmptyState title={t(q === '' && selection === '' ? 'audit.none' : 'audit.noneFits')}>
              <p>{t('audit.noneAdvice')}</p>
            </EmptyState>
          )}
      {items !== undefined && items.length > 0 && (
        <ol className="audit-log">
          {items.map((event) => (
            <AuditLogEntry key={event.id} event={event} />
          ))}
        </ol>
      )}
      {hasMore && (
        <p className="more">
          <Button variant="default" loading={isReadingMore} onClick={readMore}>
            {t('action.more')}
          </Button>
        </p>
      )}
    </>
  );
}

/** One line, with its details behind it. */
export function AuditLogEntry({ event }: { readonly event: AuditEvent }) {
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
