import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client, Versioned } from '@watchword/admin-client';
import { useEffect, useRef, useState } from 'react';
import { clientQuery, useRefresh } from '../../../api/queries.ts';
import { Code } from '../../../components/code.tsx';
import { Problem } from '../../../components/problem.tsx';
import { Button } from '../../../controls/button.tsx';
import { Checkbox, Switch } from '../../../controls/choices.tsx';
import { TextInput } from '../../../controls/inputs.tsx';
import { useEnvironment } from '../../../environment.ts';
import { FieldGroup } from '../../../forms/fields.tsx';
import { usesSecret } from '../../../rules/uses-secret.ts';
import { loginTestRedirectUri } from '../../../session/login-test-answer.ts';
import { t } from '../../../texts/texts.ts';
import { exchange, type TestClient, type TestRun } from './exchange.ts';
import {
  newRandoms,
  type OpenedTest,
  openTest,
  type Randoms,
  type TestOptions,
  type TestRequest,
  testRequest,
} from './request.ts';
import { TestReport } from './test-report.tsx';

/** Runs a real login at the client, and shows each message. It stores nothing, and the tokens never leave this component. */
export function LoginTest({ found }: { readonly found: Versioned<Client> }) {
  const { baseUrl } = useEnvironment();
  const client = found.record;
  const hasAddress = client.redirectUris.includes(loginTestRedirectUri(baseUrl));
  const canTest = !needsApplication(client);
  const [run, setRun] = useState<TestRun | undefined>();
  return (
    <div className="login-test">
      <p>{t('loginTest.lead')}</p>
      {(canTest || hasAddress) && <TestAddress found={found} hasAddress={hasAddress} />}
      {hasAddress && canTest && <TestForm client={client} onRun={setRun} />}
      {!canTest && <p className="quiet">{t('loginTest.needsApplication')}</p>}
      {run !== undefined && <TestReport client={client} run={run} />}
    </div>
  );
}

/** Whether the client must do with its requests or tokens what this page does not. Its private key must not be typed into a page. */
function needsApplication(client: Client): boolean {
  const hasSigner = client.confidential && !usesSecret(client);
  const mustPrepare = client.requirePushedAuthorizationRequests || client.requireSignedRequestObject;
  const isBound = client.dpopBoundAccessTokens || client.tlsClientCertificateBoundAccessTokens;
  return hasSigner || mustPrepare || isBound;
}

interface TestFormProps {
  readonly client: Client;
  readonly onRun: (run: TestRun | undefined) => void;
}

function TestForm({ client, onRun }: TestFormProps) {
  const { clientId, confidential, tokenEndpointAuthMethod, openidScopes } = client;
  const [scopes, setScopes] = useState<readonly string[]>(openidScopes);
  const [asksAgain, setAsksAgain] = useState(false);
  const [secret, setSecret] = useState('');
  const testing = useLoginTest(onRun);
  return (
    <form
      className="login-test-form"
      onSubmit={(event) => {
        event.preventDefault();
        const proof = { clientId, confidential, tokenEndpointAuthMethod, secret };
        testing.start({ scopes, asksAgain }, proof);
        setSecret('');
      }}
    >
      {openidScopes.length > 0 && (
        <TestScopes available={openidScopes} chosen={scopes} onChange={setScopes} />
      )}
      {confidential && (
        <TextInput
          type="password"
          label={t('loginTest.secret')}
          description={t('loginTest.secretHint')}
          autoComplete="off"
          value={secret}
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
      )}
      <Switch
        label={t('loginTest.asksAgain')}
        description={t('loginTest.asksAgainHint')}
        checked={asksAgain}
        onChange={({ currentTarget }) => setAsksAgain(currentTarget.checked)}
      />
      <div>
        <Button type="submit" disabled={!testing.isReady || (confidential && secret === '')}>
          {t('loginTest.start')}
        </Button>
      </div>
      {testing.isBlocked && <p role="alert">{t('loginTest.blocked')}</p>}
      {testing.isWaiting && <p role="status">{t('loginTest.waiting')}</p>}
      {testing.error !== null && <Problem error={testing.error} />}
    </form>
  );
}

interface TestScopesProps {
  readonly available: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function TestScopes({ available, chosen, onChange }: TestScopesProps) {
  return (
    <FieldGroup label={t('loginTest.scopes')} hint={t('loginTest.scopesHint')} problems={[]}>
      {available.map((scope) => (
        <Checkbox
          key={scope}
          label={<code>{scope}</code>}
          checked={chosen.includes(scope)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(available.filter((each) => (each === scope ? checked : chosen.includes(each))))
          }
        />
      ))}
    </FieldGroup>
  );
}

interface TestAddressProps {
  readonly found: Versioned<Client>;
  /** Whether the client has the redirect URI of the test. */
  readonly hasAddress: boolean;
}

/**
 * Only a redirect URI of the client can receive the answer. The test has one of its own, which an administrator adds for it
 * and removes again. With pairwise subjects it would be another sector.
 */
function TestAddress({ found: { record, version }, hasAddress }: TestAddressProps) {
  const { admin, baseUrl } = useEnvironment();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const uri = loginTestRedirectUri(baseUrl);
  const address = { resourceServerId: record.resourceserver_id, id: record.id };
  const changing = useMutation({
    mutationFn: (redirectUris: readonly string[]) =>
      admin.clients.update(address, { redirectUris }, { version }),
    onSuccess: (saved) => {
      queries.setQueryData(clientQuery(admin, address).queryKey, saved);
      void refresh();
    },
  });
  const others = record.redirectUris.filter((each) => each !== uri);
  if (!hasAddress && record.subjectType === 'pairwise')
    return <p className="warning">{t('loginTest.pairwise')}</p>;
  return (
    <div className="login-test-address">
      <p>{t(hasAddress ? 'loginTest.address.there' : 'loginTest.address.missing')}</p>
      <Code text={uri} what={t('loginTest.address.what')} />
      <div>
        <Button
          variant="default"
          disabled={changing.isPending}
          onClick={() => changing.mutate(hasAddress ? others : [...others, uri])}
        >
          {t(hasAddress ? 'loginTest.address.remove' : 'loginTest.address.add')}
        </Button>
      </div>
      {changing.error !== null && <Problem error={changing.error} />}
    </div>
  );
}

interface LoginTesting {
  /** Whether `start` can be called. */
  readonly isReady: boolean;
  readonly isBlocked: boolean;
  readonly isWaiting: boolean;
  readonly error: unknown;
  /** Opens the window of the login. Must be called while a click is handled. */
  start(options: Omit<TestOptions, 'baseUrl' | 'clientId'>, client: Omit<TestClient, 'baseUrl'>): void;
}

/** @param onRun called with each finished test, and with `undefined` when another one begins */
function useLoginTest(onRun: (run: TestRun | undefined) => void): LoginTesting {
  const { baseUrl, issuer } = useEnvironment();
  const [isBlocked, setBlocked] = useState(false);
  const [randoms, setRandoms] = useState<Randoms | undefined>();
  const opened = useRef<OpenedTest | undefined>(undefined);
  useEffect(() => {
    void newRandoms().then(setRandoms);
    return () => opened.current?.abandon();
  }, []);
  const testing = useMutation({
    mutationFn: async ({ request, open, client }: Started): Promise<TestRun> => {
      const answer = await open.answer;
      const code = answer.get('code');
      // RFC 9207: a code of another server is not redeemed.
      if (code === null || answer.get('iss') !== issuer) return { request, answer };
      return { request, answer, result: await exchange({ ...client, baseUrl }, code, request) };
    },
    onSuccess: onRun,
  });
  return {
    isReady: randoms !== undefined,
    isBlocked,
    isWaiting: testing.isPending,
    error: testing.error,
    start(options, client) {
      if (randoms === undefined) return;
      opened.current?.abandon();
      onRun(undefined);
      const request = testRequest({ ...options, baseUrl, clientId: client.clientId }, randoms);
      const open = openTest(request);
      opened.current = open;
      setBlocked(open === undefined);
      setRandoms(undefined);
      void newRandoms().then(setRandoms);
      if (open !== undefined) testing.mutate({ request, open, client });
    },
  };
}

interface Started {
  readonly request: TestRequest;
  readonly open: OpenedTest;
  readonly client: Omit<TestClient, 'baseUrl'>;
}
