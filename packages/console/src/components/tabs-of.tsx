import { type ReactNode, useEffect, useRef } from 'react';
import { Tabs } from '../controls/tabs.tsx';
import { goTo, routeTo, usePlace } from '../router/place.ts';

export interface TabOf {
  readonly key: string;
  readonly label: string;
  readonly content: () => ReactNode;
}

/** Parts of a page; which one is open stands in the address. */
export function TabsOf({ label, tabs }: { readonly label: string; readonly tabs: readonly TabOf[] }) {
  const { path, query } = usePlace();
  const wanted = query.get('tab');
  const open = tabs.find(({ key }) => key === wanted) ?? tabs[0];
  const list = useRef<HTMLDivElement>(null);
  // On a narrow screen there may be more of them than fit.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect depends on the tab alone
  useEffect(() => {
    const selected = list.current?.querySelector('[aria-selected="true"]');
    selected?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open?.key]);
  if (open === undefined) return undefined;
  return (
    <Tabs
      label={label}
      list={list}
      tabs={tabs}
      open={open.key}
      onOpen={(key) => goTo(routeTo(path, { tab: key === tabs[0]?.key ? undefined : key }))}
    >
      {open.content()}
    </Tabs>
  );
}
