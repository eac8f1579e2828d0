import { useState } from 'react';
import { Tabs } from '../../controls/tabs.tsx';
import type { Snippet } from '../../snippets/snippet.ts';
import { t } from '../../texts/texts.ts';
import { CodeBlock } from '../code.tsx';

/** Examples of the use of a record, one tab each. */
export function Snippets({ snippets }: { readonly snippets: readonly Snippet[] }) {
  const [open, setOpen] = useState('0');
  const shown = snippets[Number(open)];
  if (shown === undefined) return undefined;
  if (snippets.length === 1) return <Lines {...shown} />;
  return (
    <div className="snippets">
      <Tabs
        label={t('snippets.label')}
        look="pills"
        tabs={snippets.map(({ label }, index) => ({ key: String(index), label }))}
        open={open}
        onOpen={setOpen}
      >
        <Lines {...shown} />
      </Tabs>
    </div>
  );
}

function Lines({ label, lead, text, others = [] }: Snippet) {
  return (
    <>
      <p className="quiet">{lead}</p>
      {[text, ...others].map((each) => (
        <CodeBlock key={each} text={each} what={label} />
      ))}
    </>
  );
}
