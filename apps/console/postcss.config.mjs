/** Tailwind 4 as the one PostCSS plugin. */
const config = { plugins: { '@tailwindcss/postcss': {} } };

export default config;
