import type { NextConfig } from 'next';

/**
 * A static export: the gateway serves files and nothing of Next runs beside it. Types are checked by `pnpm check`,
 * not a second time during the build.
 */
const config: NextConfig = {
  output: 'export',
  trailingSlash: true,
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  typescript: { ignoreBuildErrors: true },
};

export default config;
