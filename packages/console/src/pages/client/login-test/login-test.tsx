import type { Client, Versioned } from '@watchword/admin-client';
import { useState } from 'react';
import { Problem } from '../../../components/problem.tsx';
import { Button } from '../../../controls/button.tsx';
import { Checkbox, Switch } from '../../../controls/choices.tsx';
import { TextInput } from '../../../controls/inputs.tsx';
import { useEnvironment } from '../../../environment.ts';
import { FieldGroup } from '../../../forms/fields.tsx';
import { loginTestRedirectUri } from '../../../session/login-test-answer.ts';
import { t } from '../../../texts/texts.ts';
import type { TestRun } from './exchange.ts';
import { TestAddress } from './test-address.tsx';
import { TestReport } from './test-report.tsx';
import { useLoginTest } from './use-login-test.ts';

/** Runs a real login at the client, and shows each message. It stores nothing, and the tokens never leave this component. */
export function LoginTest({ found }: { readonly found: Versioned<Client> }) {
  const { baseUrl } = useEnvironment();
  const client = found.record;
  const hasAddress = client.redirectUris.includes(loginTestRedirectUri(baseUrl));
  const [run, setRun] = useState<TestRun | undefined>();
  return (
    <div className="login-test">
      <p>{t('loginTest.lead')}</p>
      <TestAddress found={found} hasAddress={hasAddress} />
      {hasAddress && <TestForm client={client} onRun={setRun} />}
      {run !== undefined && <TestReport client={client} run={run} />}
    </div>
  );
}

interface TestFormProps {
  readonly client: Client;
  readonly onRun: (run: TestRun | undefined) => void;
}

function TestForm({ client, onRun }: TestFormProps) {
  const { clientId, confidential, openidScopes } = client;
  const [scopes, setScopes] = useState<readonly string[]>(openidScopes);
  const [asksAgain, setAsksAgain] = useState(false);
  const [secret, setSecret] = useState('');
  const testing = useLoginTest(onRun);
  return (
    <form
      className="login-test-form"
      onSubmit={(event) => {
        event.preventDefault();
        testing.start({ scopes, asksAgain }, { clientId, confidential, secret });
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
