import { Tabs } from '@mantine/core';
import type { Snippet } from '../snippets/snippet.ts';
import { t } from '../texts/texts.ts';
import { CodeBlock } from './code.tsx';

/** Examples of the use of a record, one tab each. */
export function Snippets({ snippets }: { readonly snippets: readonly Snippet[] }) {
  const [first, second] = snippets;
  if (first !== undefined && second === undefined) return <Lines {...first} />;
  return (
    <Tabs
      defaultValue={first === undefined ? null : keyOf(first)}
      className="snippets"
      variant="pills"
      keepMounted={false}
    >
      <Tabs.List aria-label={t('snippets.label')}>
        {snippets.map((snippet) => (
          <Tabs.Tab key={keyOf(snippet)} value={keyOf(snippet)}>
            {snippet.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map((snippet) => (
        <Tabs.Panel key={keyOf(snippet)} value={keyOf(snippet)}>
          <Lines {...snippet} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** It becomes a part of ids, and an attribute that refers to an id takes a space for the end of it. */
function keyOf({ label }: Snippet): string {
  return label.replaceAll(/\W+/g, '-');
}

function Lines({ label, lead, text }: Snippet) {
  return (
    <>
      <p className="quiet">{lead}</p>
      <CodeBlock text={text} what={label} />
    </>
  );
}
