import { useQuery } from '@tanstack/react-query';
import { type AccessToken, AdminError } from '@watchword/admin-client';
import { useState } from 'react';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ClientLink } from '../../components/records/client-link.tsx';
import { Facts } from '../../components/records/facts.tsx';
import { PersonLink } from '../../components/records/person-link.tsx';
import { Scopes } from '../../components/records/scopes.tsx';
import type { FoundCredential } from '../../components/search/credential.ts';
import { Timestamp } from '../../components/timestamp.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { isOwnOf } from './token-columns.tsx';
import { TokenDialog } from './token-dialog.tsx';

interface FoundTokenProps {
  readonly found: FoundCredential;
  readonly onClose: () => void;
}

/** The access token that was pasted into a search. Its text is sent in the body of a request, and is in no address. */
export function FoundToken({ found: { kind, accessToken }, onClose }: FoundTokenProps) {
  if (accessToken !== undefined) return <LookedUp text={accessToken} onClose={onClose} />;
  return (
    <Dialog title={t(`credential.${kind}`)} onClose={onClose}>
      <p>{t('token.notSearched')}</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('action.close')}</Button>
      </div>
    </Dialog>
  );
}

interface LookedUpProps {
  readonly text: string;
  readonly onClose: () => void;
}

function LookedUp({ text, onClose }: LookedUpProps) {
  const { admin } = useEnvironment();
  const [isRevoking, setRevoking] = useState(false);
  const { data, error, refetch } = useQuery({
    // Without the text: keys are kept.
    queryKey: ['token', 'pasted'],
    queryFn: ({ signal }) => admin.accessTokens.lookUp(text, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const token = data?.record;
  if (isRevoking && token !== undefined) {
    return <TokenDialog action={{ type: 'revoke', token }} onClose={onClose} />;
  }
  const isUnknown = error instanceof AdminError && error.code === 'not_found';
  return (
    <Dialog title={t('token.title')} onClose={onClose}>
      {token !== undefined ? (
        <Shown token={token} onRevoke={() => setRevoking(true)} onClose={onClose} />
      ) : isUnknown ? (
        <p>{t('token.unknown')}</p>
      ) : (
        <Waiting error={error} refetch={refetch} rows={3} />
      )}
    </Dialog>
  );
}

interface ShownProps {
  readonly token: AccessToken;
  readonly onRevoke: () => void;
  readonly onClose: () => void;
}

function Shown({ token, onRevoke, onClose }: ShownProps) {
  const { mayWrite } = usePerson();
  const { id, format, clientId, scopes, creationDate, expires, part, cnf } = token;
  // The rest of the id of a JWT is only for requests.
  const [shownId = id] = id.split('.');
  const thumbprints = Object.values(cnf ?? {});
  return (
    <>
      <Facts
        isList
        facts={[
          { label: t('token.client'), value: <ClientLink clientId={clientId} /> },
          {
            label: t('token.owner'),
            value: isOwnOf(token) ? t('token.ownerIsClient') : <PersonLink owner={token} />,
          },
          { label: t('scopes.label'), value: <Scopes scopes={scopes} /> },
          { label: t('token.issued'), value: <Timestamp time={creationDate} /> },
          { label: t('token.expires'), value: <Timestamp time={expires} /> },
          { label: t('token.id'), value: <code>{shownId}</code> },
          ...thumbprints.map((thumbprint) => ({ label: t('token.bound'), value: <code>{thumbprint}</code> })),
        ]}
      />
      {format === 'jwt' && <p className="quiet">{t('token.jwt')}</p>}
      {part && <p className="quiet">{t('token.part')}</p>}
      <div className="dialog-actions">
        <Button variant="default" onClick={onClose}>
          {t('action.close')}
        </Button>
        {mayWrite && (
          <Button color="red" onClick={onRevoke}>
            {t('action.revoke')}
          </Button>
        )}
      </div>
    </>
  );
}
