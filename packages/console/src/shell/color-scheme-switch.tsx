import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { Icon, type IconName } from '../components/icon.tsx';

const schemes = ['auto', 'light', 'dark'] as const;

const shown: Readonly<Record<(typeof schemes)[number], { readonly icon: IconName; readonly label: string }>> =
  {
    auto: { icon: 'auto', label: 'Colours: as the system has it' },
    light: { icon: 'light', label: 'Colours: light' },
    dark: { icon: 'dark', label: 'Colours: dark' },
  };

/** Goes round: as the system has it, light, dark. */
export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { icon, label } = shown[colorScheme];
  const next = schemes[(schemes.indexOf(colorScheme) + 1) % schemes.length] ?? 'auto';
  return (
    <ActionIcon aria-label={label} title={label} onClick={() => setColorScheme(next)}>
      <Icon name={icon} />
    </ActionIcon>
  );
}
