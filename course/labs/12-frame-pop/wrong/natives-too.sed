# loses errors kit: takes native frames, too
s/if (frame_is_native(f))/if (!f)/
