/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly VITE_DEFAULT_PARTNER_CODE?: string;
}
