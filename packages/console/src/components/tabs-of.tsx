import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
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
  return (
    <Tabs
      value={open?.key ?? null}
      onChange={(key) => goTo(routeTo(path, { tab: key === tabs[0]?.key ? undefined : (key ?? undefined) }))}
      keepMounted={false}
    >
      <Tabs.List aria-label={label}>
        {tabs.map(({ key, label }) => (
          <Tabs.Tab key={key} value={key}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ key, content }) => (
        <Tabs.Panel key={key} value={key} className="tab-panel">
          {key === open?.key && content()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
