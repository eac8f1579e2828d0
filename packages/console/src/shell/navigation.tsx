import { useLayoutEffect, useState } from 'react';
import { IconButton, IconLink, PlainButton } from '../controls/button.tsx';
import { Icon, type IconName } from '../controls/icon.tsx';
import { useEnvironment, usePerson } from '../environment.ts';
import { Link } from '../router/link.tsx';
import { currentRoute, usePlace } from '../router/place.ts';
import { routes } from '../router/routes.ts';
import type { TextKey } from '../texts/parameters.ts';
import { t } from '../texts/texts.ts';
import { chooseColorScheme, colorScheme, colorSchemes } from './color-scheme.ts';
import { Find } from './find.tsx';

interface Place {
  readonly to: string;
  readonly icon: IconName;
  readonly label: TextKey;
  readonly isForAdministrators?: true;
  readonly needsLocalAccounts?: true;
}

const places: readonly Place[] = [
  { to: routes.overview, icon: 'overview', label: 'navigation.overview' },
  { to: routes.resourceServers, icon: 'server', label: 'servers.title' },
  { to: routes.clients, icon: 'client', label: 'clients.title' },
  {
    to: routes.describedClients,
    icon: 'link',
    label: 'described.title',
    isForAdministrators: true,
  },
  { to: routes.access, icon: 'access', label: 'access.title' },
  { to: routes.tokens, icon: 'token', label: 'tokens.title' },
  {
    to: routes.accounts,
    icon: 'identity',
    label: 'accounts.title',
    isForAdministrators: true,
    needsLocalAccounts: true,
  },
  {
    to: routes.identityProviders,
    icon: 'providers',
    label: 'providers.title',
    isForAdministrators: true,
  },
  { to: routes.signingKeys, icon: 'key', label: 'keys.title', isForAdministrators: true },
  { to: routes.branding, icon: 'branding', label: 'branding.title', isForAdministrators: true },
  { to: routes.settings, icon: 'settings', label: 'settings.title', isForAdministrators: true },
  { to: routes.audit, icon: 'audit', label: 'audit.title' },
];

/** Where one can go, and who is signed in; on a narrow screen behind a button. */
export function Navigation() {
  const { baseUrl, hasLocalAccounts, productName, logo } = useEnvironment();
  const { isAdministrator } = usePerson();
  const { path } = usePlace();
  const shown = places.filter(
    (place) =>
      (isAdministrator || place.isForAdministrators !== true) &&
      (hasLocalAccounts || place.needsLocalAccounts !== true),
  );
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a navigation the menu is closed
  useLayoutEffect(() => setOpen(false), [path]);
  return (
    <header className="navigation" data-open={isOpen}>
      <div className="navigation-head">
        <Link to={routes.overview} className="brand">
          {logo !== undefined && <img src={logo} alt="" className="brand-logo" />}
          <span>{productName}</span>
        </Link>
        <IconButton
          className="menu-button"
          size="lg"
          aria-label={t('navigation.menu')}
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </IconButton>
      </div>
      <div id="menu" className="menu">
        <div>
          <Find
            pages={shown.map(({ to, label }) => ({ value: to, label: t(label), note: t('find.page') }))}
            onShow={() => setOpen(true)}
          />
          <nav aria-label={t('navigation.pages')}>
            <ul>
              {shown.map(({ to, icon, label }) => (
                <li key={to}>
                  <Link to={to} className="place" aria-current={isAt(to, path) ? 'page' : undefined}>
                    <Icon name={icon} />
                    {t(label)}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <div>
          <a className="place place-quiet" href={`${baseUrl}/admin/docs`} target="_blank" rel="noreferrer">
            <Icon name="out" />
            {t('navigation.reference')}
          </a>
          <SignedInAs />
        </div>
      </div>
    </header>
  );
}

function SignedInAs() {
  const { baseUrl, signIn } = useEnvironment();
  const { principal, isAdministrator, mayWrite } = usePerson();
  const displayName = principal.attributes.DISPLAY_NAME ?? principal.name;
  return (
    <div className="signed-in">
      <p className="signed-in-name">
        <bdi>{displayName}</bdi>
        <span className="quiet">
          {t(`navigation.${isAdministrator ? 'administrator' : 'own'}${mayWrite ? '' : 'Reads'}`)}
        </span>
        {!mayWrite && (
          <PlainButton
            className="text-button"
            onClick={() => signIn.inThisWindow(currentRoute(), { askAgain: true })}
          >
            {t('navigation.allow')}
          </PlainButton>
        )}
      </p>
      <div className="signed-in-actions">
        <ColorSchemeSwitch />
        <IconLink
          href={`${baseUrl}/logout`}
          aria-label={t('navigation.signOut')}
          title={t('navigation.signOut')}
        >
          <Icon name="leave" />
        </IconLink>
      </div>
    </div>
  );
}

/** Two pages are shown below another one than their address says: a client, and a person. */
function isAt(to: string, path: string): boolean {
  if (/^\/resource-servers\/\d+\/clients\//.test(path)) return to === routes.clients;
  if (path.startsWith('/people/')) return to === routes.access;
  return to === routes.overview ? path === to : path === to || path.startsWith(`${to}/`);
}

/** Goes round: as the system has it, light, dark. */
function ColorSchemeSwitch() {
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
