import { Tabs } from '@mantine/core';
import type { Snippet } from '../snippets/snippet.ts';
import { t } from '../texts/texts.ts';
import { CodeBlock } from './code.tsx';

/** Examples of the use of a record, one tab each. */
export function Snippets({ snippets }: { readonly snippets: readonly Snippet[] }) {
  const [first, second] = snippets;
  if (first !== undefined && second === undefined) return <Lines {...first} />;
  return (
    <Tabs defaultValue="0" className="snippets" variant="pills" keepMounted={false}>
      <Tabs.List aria-label={t('snippets.label')}>
        {snippets.map(({ label }, index) => (
          <Tabs.Tab key={label} value={String(index)}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map((snippet, index) => (
        <Tabs.Panel key={snippet.label} value={String(index)}>
          <Lines {...snippet} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Lines({ label, lead, text }: Snippet) {
  return (
    <>
      <p className="quiet">{lead}</p>
      <CodeBlock text={text} what={label} />
    </>
  );
}
