/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly VITE_DEFAULT_PARTNER_CODE?: string;
}

/** Made by `build/access.ts`. */
declare module 'virtual:access' {
  export const accessOf: Readonly<
    Record<import('./lib/session/calls.ts').Call, import('@portal/contracts').AccessList>
  >;
}
