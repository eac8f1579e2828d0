import { Tabs } from '@mantine/core';
import type { Snippet } from '../snippets/snippet.ts';
import { CodeBlock } from './code.tsx';

/** Ways to use a record, one beside the other. */
export function Snippets({ snippets }: { readonly snippets: readonly Snippet[] }) {
  return (
    <Tabs defaultValue={snippets[0]?.label ?? null} className="snippets" variant="pills" keepMounted={false}>
      <Tabs.List aria-label="Ways to use it">
        {snippets.map(({ label }) => (
          <Tabs.Tab key={label} value={label}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ label, lead, text }) => (
        <Tabs.Panel key={label} value={label}>
          <p className="quiet">{lead}</p>
          <CodeBlock text={text} what={label} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
