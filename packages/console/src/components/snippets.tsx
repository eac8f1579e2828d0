import { Tabs } from '@mantine/core';
import type { Snippet } from '../snippets/snippet.ts';
import { CodeBlock } from './code.tsx';

/** Ways to use a record, one beside the other. */
export function Snippets({ snippets }: { readonly snippets: readonly Snippet[] }) {
  const [first, second] = snippets;
  if (first !== undefined && second === undefined) return <Lines {...first} />;
  return (
    <Tabs defaultValue={first?.label ?? null} className="snippets" variant="pills" keepMounted={false}>
      <Tabs.List aria-label="Ways to use it">
        {snippets.map(({ label }) => (
          <Tabs.Tab key={label} value={label}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map((snippet) => (
        <Tabs.Panel key={snippet.label} value={snippet.label}>
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
