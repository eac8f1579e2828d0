import { useQuery } from '@tanstack/react-query';
import {
  countGrants,
  type Grant,
  type GrantSelection,
  isConsentAlone,
  isConsentRemembered,
  readAll,
} from '@watchword/admin-client';
import type { ReactNode } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useNotice } from '../../components/notices.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useEnvironment } from '../../environment.ts';
import { count } from '../../format/count.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

/** What ends: one grant, or all of its person, of its client, or of the person to the client. */
export interface Ending {
  readonly of: 'one' | 'person' | 'client' | 'both';
  readonly grant: Grant;
}

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
        title={t('endAccess.all.titleBoth', { client: clientName, person: resourceOwnerId })}
        onClose={onClose}
      >
        <p>{t('endAccess.both.after')}</p>
      </EndAll>
    );
  }
  return of === 'person' ? (
    <EndAll
      selection={{ subject }}
      title={t('endAccess.all.titlePerson', { person: resourceOwnerId })}
      onClose={onClose}
    >
      <p>{t('endAccess.person.after')}</p>
    </EndAll>
  ) : (
    <EndAll
      selection={{ clientId }}
      title={t('endAccess.all.titleClient', { client: clientName })}
      typed={clientId}
      onClose={onClose}
    >
      <p>{t('endAccess.client.after')}</p>
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
  const { id, clientName, resourceOwnerId, accessTokens, refreshToken } = grant;
  return (
    <ConfirmDialog
      title={t('endAccess.one.title', { client: clientName })}
      action={t('endAccess.one.action')}
      onConfirm={async () => {
        await admin.grants.end(id);
        tell(t('endAccess.one.done', { client: clientName, person: resourceOwnerId }));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>{rich('endAccess.one.lead', { person: resourceOwnerId })}</p>
      <ul className="consequences">
        {!isConsentAlone(grant) && (
          <li>
            {refreshToken
              ? t('endAccess.one.refreshToken', { count: accessTokens })
              : count(accessTokens, 'accessToken')}
          </li>
        )}
        {isConsentRemembered(grant) && <li>{t('endAccess.one.consent')}</li>}
      </ul>
      <p>{t('endAccess.one.others')}</p>
    </ConfirmDialog>
  );
}

// So many are counted before they end.
const mostCounted = 10_000;

interface EndAllProps {
  readonly selection: GrantSelection;
  readonly title: string;
  /** What the user types first. */
  readonly typed?: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

function EndAll({ selection, title, typed, children, onClose }: EndAllProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const tell = useNotice();
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
  const { grants, consents } = countGrants(data.items);
  return (
    <ConfirmDialog
      title={title}
      action={t('endAccess.all.action')}
      typed={typed}
      onConfirm={async () => {
        const ended = await admin.grants.endAll(selection);
        tell(t('endAccess.all.done', ended));
        await refresh();
      }}
      onClose={onClose}
    >
      <p>{t('endAccess.all.lead')}</p>
      <ul className="consequences">
        <li>{t(data.isComplete ? 'endAccess.all.grants' : 'endAccess.all.grantsMore', { count: grants })}</li>
        <li>
          {data.isComplete
            ? count(consents, 'rememberedConsent')
            : t('endAccess.all.consentsMore', { count: consents })}
        </li>
      </ul>
      {children}
    </ConfirmDialog>
  );
}
