import { useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { IconButton } from '../controls/button.tsx';
import { t } from '../texts/texts.ts';
import { chooseColorScheme, colorScheme, colorSchemes } from './color-scheme.ts';

/** Goes round: as the system has it, light, dark. */
export function ColorSchemeSwitch() {
  const [scheme, setScheme] = useState(colorScheme);
  const label = t(`colours.${scheme}`);
  const next = colorSchemes[(colorSchemes.indexOf(scheme) + 1) % colorSchemes.length] ?? 'auto';
  const change = () => {
    chooseColorScheme(next);
    setScheme(next);
  };
  return (
    <IconButton aria-label={label} title={label} onClick={change}>
      <Icon name={scheme} />
    </IconButton>
  );
}
