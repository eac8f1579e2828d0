import { useQuery } from '@tanstack/react-query';
import { type Grant, type GrantSelection, readAll } from '@watchword/admin-client';
import type { ReactNode } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useEnvironment } from '../../environment.ts';
import { count } from '../../format/count.ts';
import { type Ending, isConsentAlone } from './ending.ts';

interface EndDialogProps {
  readonly ending: Ending;
  readonly onClose: () => void;
}

/** Ends access, after the dialog has shown how much. */
export function EndDialog({ ending: { of, grant }, onClose }: EndDialogProps) {
  if (of === 'one') return <EndOne grant={grant} onClose={onClose} />;
  const { subject, clientId, clientName, resourceOwnerId } = grant;
  if (of === 'both') {
    return (
      <EndAll
        selection={{ subject, clientId }}
        whose={`${clientName} for ${resourceOwnerId}`}
        onClose={onClose}
      >
        <p>At the next visit the client must ask again.</p>
      </EndAll>
    );
  }
  return of === 'person' ? (
    <EndAll selection={{ subject }} whose={resourceOwnerId} onClose={onClose}>
      <p>They stay logged in. At the next visit each application asks again.</p>
    </EndAll>
  ) : (
    <EndAll selection={{ clientId }} whose={clientName} typed={clientId} onClose={onClose}>
      <p>At their next visit the client asks them again. Tokens with which it acts for itself stay valid.</p>
    </EndAll>
  );
}

interface EndOneProps {
  readonly grant: Grant;
  readonly onClose: () => void;
}

function EndOne({ grant, onClose }: EndOneProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const tell = useNotice();
  const { id, clientName, resourceOwnerId, accessTokens, refreshToken, consentedScopes } = grant;
  return (
    <ConfirmDialog
      title={`End the access of ${clientName}?`}
      action="End access"
      onConfirm={async () => {
        await admin.grants.end(id);
        tell(`${clientName} has no more access by this grant of ${resourceOwnerId}`);
        await refresh();
      }}
      onClose={onClose}
    >
      <p>
        The server ends at once what <bdi>{resourceOwnerId}</bdi> granted:
      </p>
      <ul className="consequences">
        {!isConsentAlone(grant) && (
          <li>
            {refreshToken ? 'the refresh token and ' : ''}
            {count(accessTokens, 'access token')}
          </li>
        )}
        {consentedScopes.length > 0 && <li>the remembered consent: the client must ask again</li>}
      </ul>
      <p>Other grants to this client stay.</p>
    </ConfirmDialog>
  );
}

// So many are counted before they end.
const mostCounted = 10_000;

interface EndAllProps {
  readonly selection: GrantSelection;
  /** Name of the person or client. */
  readonly whose: string;
  /** What the user types first. */
  readonly typed?: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

function EndAll({ selection, whose, typed, children, onClose }: EndAllProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const tell = useNotice();
  const title = `End all access of ${whose}?`;
  const { data, error, refetch } = useQuery({
    queryKey: ['grants', 'counted', selection],
    queryFn: ({ signal }) =>
      readAll((page) => admin.grants.list({ ...page, ...selection }, { signal }), mostCounted),
    staleTime: 0,
    gcTime: 0,
  });
  if (data === undefined) {
    return (
      <Dialog title={title} onClose={onClose}>
        <Waiting error={error} refetch={refetch} rows={2} />
      </Dialog>
    );
  }
  const grants = data.items.filter((grant) => !isConsentAlone(grant)).length;
  const consents = data.items.filter(({ consentedScopes }) => consentedScopes.length > 0).length;
  const more = data.isComplete ? '' : 'more than ';
  return (
    <ConfirmDialog
      title={title}
      action="End all"
      typed={typed}
      onConfirm={async () => {
        const ended = await admin.grants.endAll(selection);
        tell(`${count(ended.grants, 'grant')} and ${count(ended.consents, 'remembered consent')} ended`);
        await refresh();
      }}
      onClose={onClose}
    >
      <p>The server ends at once:</p>
      <ul className="consequences">
        <li>
          {more}
          {count(grants, 'grant')}, with every token that was issued under them
        </li>
        <li>
          {more}
          {count(consents, 'remembered consent')}
        </li>
      </ul>
      {children}
    </ConfirmDialog>
  );
}
