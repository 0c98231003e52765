# loses objects: forgets of which object the field is
s/location_of(tag_of(jvmti, object), field)/location_of(0, field)/
