import { useMutation, useQuery } from '@tanstack/react-query';
import type { TestLogin } from '@watchword/admin-client';
import { useEffect, useState } from 'react';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { Button } from '../../controls/button.tsx';
import { useEnvironment } from '../../environment.ts';
import { loginTestChannel } from '../../session/login-test-answer.ts';
import { t } from '../../texts/texts.ts';

interface TestLoginDialogProps {
  readonly name: string;
  readonly label: string;
  readonly onClose: () => void;
}

const popupFeatures = 'popup,width=620,height=760';

/** Tries a login in another window, and shows what came and what the rules made of it. */
export function TestLoginDialog({ name, label, onClose }: TestLoginDialogProps) {
  const { admin } = useEnvironment();
  const [runs, setRuns] = useState(1);
  const [isBlocked, setBlocked] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  // Before the click that opens the window: browsers block a window that is opened later.
  const started = useQuery({
    queryKey: ['testLogin', name, runs],
    queryFn: ({ signal }) => admin.authenticators.tryLogin(name, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const reading = useMutation({ mutationFn: (testId: string) => admin.authenticators.testLogin(testId) });
  const { mutate } = reading;
  const testId = started.data?.testId;
  useEffect(() => {
    if (testId === undefined) return;
    const channel = loginTestChannel(testId);
    channel.onmessage = () => {
      setWaiting(false);
      mutate(testId);
    };
    return () => channel.close();
  }, [testId, mutate]);

  function open() {
    const opened = window.open(started.data?.url, '_blank', popupFeatures);
    setBlocked(opened === null);
    setWaiting(opened !== null);
    // A page of another origin in the other window must not navigate this window.
    if (opened !== null) opened.opener = null;
  }

  const failed = started.error ?? reading.error;
  return (
    <Dialog title={t('provider.test.title', { provider: label })} onClose={onClose} isWide>
      <div className="dialog-text">
        <p>{t('provider.test.lead')}</p>
        {isBlocked && <p role="alert">{t('loginTest.blocked')}</p>}
        {isWaiting && <p role="status">{t('loginTest.waiting')}</p>}
        {failed !== null && <Problem error={failed} />}
        {reading.data !== undefined && <Tried tried={reading.data} />}
      </div>
      <div className="dialog-actions">
        <Button variant="default" onClick={onClose}>
          {t('action.close')}
        </Button>
        {reading.data === undefined ? (
          <Button onClick={open} disabled={started.data === undefined} data-autofocus>
            {t('loginTest.start')}
          </Button>
        ) : (
          <Button
            onClick={() => {
              reading.reset();
              setRuns(runs + 1);
            }}
          >
            {t('action.retry')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Tried({ tried }: { readonly tried: TestLogin }) {
  const { refusal, received, name, identityProvider, stableId, acr, roles, groups, attributes } = tried;
  const made = {
    [t('provider.field.nameFrom')]: [name ?? ''],
    [t('providers.name')]: [identityProvider ?? ''],
    [t('provider.field.stableIdFrom')]: stableId === null ? [] : [stableId],
    [t('provider.field.groupsFrom')]: groups,
    [t('provider.field.rolesFrom')]: roles,
    adminPrincipal: [String(tried.adminPrincipal)],
    acr: acr === null ? [] : [acr],
    ...Object.fromEntries(Object.entries(attributes).map(([attribute, value]) => [attribute, [value]])),
  };
  return (
    <>
      {refusal === null ? (
        <Values title={t('provider.test.made')} values={made} />
      ) : (
        <div className="warning" role="alert">
          <p>{t('provider.test.refused')}</p>
          <p lang="en">{refusal}</p>
        </div>
      )}
      <Values title={t('provider.test.received')} values={received} />
    </>
  );
}

interface ValuesProps {
  readonly title: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
}

function Values({ title, values }: ValuesProps) {
  return (
    <section className="login-test-message">
      <h3>{title}</h3>
      <dl>
        {Object.entries(values).map(([name, each]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {each.length === 0 ? (
                <span className="quiet">—</span>
              ) : (
                each.map((value, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a value can come twice
                  <div key={index}>
                    <code>{value}</code>
                  </div>
                ))
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
