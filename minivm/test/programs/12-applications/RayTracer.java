/* SPDX-License-Identifier: MIT */
/* A ray tracer of three spheres: interfaces, records, double arithmetic. */
public class RayTracer {
    record Vec(double x, double y, double z) {
        Vec plus(Vec o) {
            return new Vec(x + o.x, y + o.y, z + o.z);
        }

        Vec minus(Vec o) {
            return new Vec(x - o.x, y - o.y, z - o.z);
        }

        Vec times(double f) {
            return new Vec(x * f, y * f, z * f);
        }

        double dot(Vec o) {
            return x * o.x + y * o.y + z * o.z;
        }

        Vec unit() {
            return times(1 / Math.sqrt(dot(this)));
        }
    }

    record Hit(double t, Vec point, Vec normal, double shine) {
    }

    interface Thing {
        Hit hit(Vec from, Vec dir);
    }

    record Sphere(Vec center, double radius, double shine) implements Thing {
        @Override
        public Hit hit(Vec from, Vec dir) {
            Vec oc = from.minus(center);
            double b = oc.dot(dir), c = oc.dot(oc) - radius * radius, d = b * b - c;
            if (d < 0) {
                return null;
            }
            double t = -b - Math.sqrt(d);
            if (t < 1e-6) {
                return null;
            }
            Vec p = from.plus(dir.times(t));
            return new Hit(t, p, p.minus(center).unit(), shine);
        }
    }

    record Floor(double y) implements Thing {
        @Override
        public Hit hit(Vec from, Vec dir) {
            double t = (y - from.y()) / dir.y();
            if (!(t > 1e-6) || t > 100) {
                return null;
            }
            Vec p = from.plus(dir.times(t));
            return new Hit(t, p, new Vec(0, 1, 0),
                (Math.floor(p.x()) + Math.floor(p.z())) % 2 == 0 ? 0.1 : 0.4);
        }
    }

    static final Thing[] THINGS = {
        new Sphere(new Vec(0, 0, 4), 1, 0.6), new Sphere(new Vec(1.5, -0.4, 3), 0.6, 0.2),
        new Sphere(new Vec(-1.3, -0.3, 3.2), 0.7, 0.9), new Floor(-1),
    };

    static double trace(Vec from, Vec dir, int depth) {
        Hit best = null;
        for (Thing t : THINGS) {
            Hit h = t.hit(from, dir);
            if (h != null && (best == null || h.t() < best.t())) {
                best = h;
            }
        }
        if (best == null) {
            return 0.5 + 0.5 * dir.y();
        }
        Vec light = new Vec(-3, 5, -2).minus(best.point()).unit();
        double bright = Math.max(0, light.dot(best.normal()));
        for (Thing t : THINGS) {
            if (bright > 0 && t.hit(best.point(), light) != null) {
                bright *= 0.3;
            }
        }
        if (depth > 0) {
            Vec mirrored = dir.minus(best.normal().times(2 * dir.dot(best.normal())));
            bright = bright * (1 - best.shine()) + best.shine()
                * trace(best.point(), mirrored, depth - 1);
        }
        return bright;
    }

    public static void main(String[] args) {
        String shades = " .:-=+*#%@";
        double sum = 0;
        for (int y = 0; y < 24; y++) {
            StringBuilder line = new StringBuilder();
            for (int x = 0; x < 60; x++) {
                double b = trace(new Vec(0, 0, -1), new Vec((x - 30) / 30.0, (12 - y) / 14.0, 1.5)
                    .unit(), 3);
                sum += b;
                line.append(shades.charAt((int) Math.min(9, b * 10)));
            }
            System.out.println(line);
        }
        System.out.println(sum);
    }
}
