import { useQuery } from '@tanstack/react-query';
import { AdminError, type RequestErrorExplanation } from '@watchword/admin-client';
import { Code, CodeBlock } from '../../components/code.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ClientLink } from '../../components/records/client-link.tsx';
import { type Fact, Facts } from '../../components/records/facts.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useEnvironment } from '../../environment.ts';
import { routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';

/** Why one request was refused, and what mends it. */
export function RequestErrorPage({ requestId }: { readonly requestId: string }) {
  const { admin } = useEnvironment();
  const { data, error, refetch } = useQuery({
    queryKey: ['requestErrors', 'explained', requestId],
    queryFn: ({ signal }) => admin.requestErrors.explain(requestId, { signal }),
  });
  const isUnknown = error instanceof AdminError && error.code === 'not_found';
  if (isUnknown) {
    return (
      <EmptyState title={t('requestError.missing.title', { requestId })} isHeading>
        <p>{t('requestError.missing.advice')}</p>
      </EmptyState>
    );
  }
  return data === undefined ? <Waiting error={error} refetch={refetch} /> : <Explained found={data} />;
}

function Explained({ found }: { readonly found: RequestErrorExplanation }) {
  const { requestId, time, client, endpoint, error, command } = found;
  return (
    <>
      <PageHeader
        title={t('requestError.title')}
        above={[{ to: routes.clients, label: t('clients.title') }]}
        lead={
          <Facts
            facts={[
              { label: t('requestError.id'), value: <Code text={requestId} what={t('requestError.id')} /> },
              { label: t('requestError.time'), value: <Timestamp time={time} /> },
              { label: t('requestError.endpoint'), value: <code>{endpoint}</code> },
              { label: t('requestError.error'), value: <code>{error}</code> },
              ...(client === null
                ? []
                : [{ label: t('requestError.client'), value: <ClientLink clientId={client.clientId} /> }]),
            ]}
          />
        }
      />
      <Facts isList facts={factsOf(found)} />
      {command !== null && <CodeBlock text={command} what={t('requestError.command')} />}
    </>
  );
}

/** Rule and reason are for developers, and in English as the log is. */
function factsOf(found: RequestErrorExplanation): readonly Fact[] {
  const { requirement, section, sectionUrl, reason, expected, came, advice } = found;
  const source = sectionUrl === null ? section : <SectionLink url={sectionUrl} section={section} />;
  return [
    ...inWords(t('requestError.rule'), requirement),
    ...(section === null ? [] : [{ label: t('requestError.section'), value: source }]),
    ...inWords(t('requestError.reason'), reason),
    ...inWords(t('requestError.expected'), expected),
    ...inWords(t('requestError.came'), came),
    ...inWords(t('requestError.mend'), advice),
  ];
}

function inWords(label: string, text: string | null): readonly Fact[] {
  return text === null ? [] : [{ label, value: <bdi lang="en">{text}</bdi> }];
}

function SectionLink({ url, section }: { readonly url: string; readonly section: string | null }) {
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {section}
    </a>
  );
}
