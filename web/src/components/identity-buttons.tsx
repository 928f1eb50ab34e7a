import { Stack } from '@chakra-ui/react';
import { type IdentityProvider, socialRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../lib/api.ts';
import { identityAddress } from '../lib/identity-return.ts';
import { Button } from '../ui/button.tsx';

const names: Readonly<Record<IdentityProvider, string>> = { google: 'Google', microsoft: 'Microsoft' };

interface IdentityButtonsProps {
  /** Where the browser comes back. */
  page: string;
  text: 'withProvider' | 'signUpWithProvider';
}

/** A way to each identity provider of the installation; nothing where there is none, or as long as nobody knows. */
export function IdentityButtons({ page, text }: IdentityButtonsProps) {
  const { t } = useTranslation('auth');
  const { data } = useApiQuery(socialRoutes.listIdentityProviders, {});
  if (!data || data.providers.length === 0) return null;
  return (
    <Stack gap="2" mt="6">
      {data.providers.map((provider) => (
        <Button
          key={provider}
          variant="outline"
          colorPalette="gray"
          onClick={() => window.location.assign(identityAddress(provider, page))}
        >
          {t(text, { name: names[provider] })}
        </Button>
      ))}
    </Stack>
  );
}
